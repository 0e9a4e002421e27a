// What was laid on a Rapa Nui table, entered by hand: the hands at the start, the display, a refilled column.

import { h } from "../dom.js";
import { _, ngettext } from "../words.js";
import { card, CARDS, FULL, nameOf, OFFERINGS } from "./rapa-nui.js";

export const entryTitles = {
  deal: () => _("Which hunter does each player lack?"),
  lay_display: () => _("Which cards were laid?"),
  refill: () => _("Which cards fill the column?"),
};

export const entries = { deal, lay_display: layDisplay, refill };

const done = (text, onclick) => h("button", { type: "button", class: "main", disabled: true, text, onclick });

// A player's three hunters are known by the one sort that is not among them.
function deal(act, view) {
  const lacks = view.seats.map(() => null);
  const hands = () => lacks.map((lack) => OFFERINGS.filter((sort) => sort !== lack).map((sort) => `hunter-${sort}`));
  const confirm = done(_("That is what was dealt"), () => act({ do: "deal", hands: hands() }));
  const rows = view.seats.map(({ name }, seat) => {
    const buttons = OFFERINGS.map((sort) => h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": `${name}: ${nameOf(sort)}`, onclick: () => tap(sort) }, card(`hunter-${sort}`)));
    function tap(sort) {
      lacks[seat] = sort;
      buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(OFFERINGS[i] === sort)));
      confirm.disabled = lacks.includes(null);
    }
    return h("li", { class: "rn-lacks" }, h("b", { class: "name", text: name ?? "" }), h("div", { class: "taps four" }, buttons));
  });
  return h("div", { class: "entry" }, h("p", { class: "hint", text: _("Lay the start cards out for a moment. Tap the sort that is missing.") }), h("ol", {}, rows), confirm);
}

function layDisplay(act) {
  return laying([4, 4, 4, 4], (columns) => act({ do: "lay_display", columns }));
}

// The emptied column, with as many cards as the pile has left. What was laid earlier is entered into the column that was
// filled then, as far as that is known: else it is chosen first.
function refill(act, view, laid) {
  const { columns, pile } = view.state;
  const due = laid === undefined;
  const column = due ? columns.findIndex((cards) => !cards.length) + 1 : laid?.column;
  const count = due ? Math.min(FULL, pile) : (laid?.cards.length ?? FULL);
  const fill = (to) => laying([count], ([cards]) => act({ do: "refill", column: to, cards }), to);
  return column ? fill(column) : anyColumn(columns, fill);
}

function anyColumn(columns, fill) {
  const form = h("div");
  const choose = (column) => {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(i + 1 === column)));
    form.replaceChildren(fill(column));
  };
  const buttons = columns.map((_cards, i) => h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": _("Column {n}", { n: i + 1 }), onclick: () => choose(i + 1) }, h("b", { text: i + 1 })));
  return h("div", { class: "entry" }, h("p", { class: "hint", text: _("Which column?") }), h("div", { class: "taps four palette" }, buttons), form);
}

// Columns to be filled from a row of kinds: tap a place to begin there, then the kinds as they lie.
function laying(sizes, finish, first = 1) {
  const places = sizes.flatMap((size, column) => Array.from({ length: size }, (_none, at) => ({ column, at, name: null })));
  let next = 0;
  const confirm = done("", () => finish(sizes.map((_size, column) => places.filter((place) => place.column === column).map((place) => place.name))));
  const cells = places.map((place, i) => h("button", { type: "button", class: "rn-place", onclick: () => move(i) }));
  const palette = CARDS.map((name) => h("button", { type: "button", class: "tap", "aria-label": nameOf(name), onclick: () => put(name) }, card(name)));
  function put(name) {
    places[next].name = name;
    const free = [...places.keys()].find((i) => i > next && !places[i].name) ?? places.findIndex((place) => !place.name);
    move(free === -1 ? next : free);
  }
  function move(to) {
    next = to;
    cells.forEach((cell, i) => {
      const { name, column, at } = places[i];
      const where = _("Column {n}", { n: first + column });
      cell.setAttribute("aria-label", `${where}, ${at + 1}: ${name ? nameOf(name) : _("empty")}`);
      cell.setAttribute("aria-pressed", String(i === next));
      cell.replaceChildren(...(name ? [card(name, false)] : []));
    });
    const missing = places.filter((place) => !place.name).length;
    confirm.disabled = missing > 0;
    confirm.textContent = missing ? ngettext("One more card", "{n} more cards", missing) : _("That is how they lie");
  }
  move(0);
  return h(
    "div",
    { class: "entry" },
    h("p", { class: "hint", text: _("Each column from the back to the front card.") }),
    h("div", { class: "rn-entry" }, sizes.map((_size, column) => h("div", { class: "rn-fill" }, h("span", { class: "rn-number", "aria-hidden": "true", text: first + column }), cells.filter((_cell, i) => places[i].column === column)))),
    h("div", { class: "taps four palette" }, palette),
    confirm,
  );
}
