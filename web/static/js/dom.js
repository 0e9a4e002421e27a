// Elements by function, and sections that are drawn anew only when what they show has changed.

export function h(tag, properties = {}, ...children) {
  const node = tag.startsWith("svg:") ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4)) : document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "style") node.style.cssText = value; // as an attribute the pages' policy would not take it
    else if (name === "text") node.textContent = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const byId = (id) => document.getElementById(id);

const shown = new WeakMap();

// Draw `data` into the element by `draw` (which returns its children, or null to hide it) if it is not there already.
export function section(node, data, draw) {
  const key = JSON.stringify(data);
  if (!node || shown.get(node) === key) return false;
  shown.set(node, key);
  const children = data === null ? null : draw(data);
  node.replaceChildren(...(children ? [children].flat(Infinity).filter(Boolean) : []));
  node.hidden = !children;
  return true;
}

// Forget what a section shows, so that the next draw is done anew.
export function forget(node) {
  shown.delete(node);
}
