// The page's language: `_` translates a text and fills its {blanks}, `ngettext` chooses by number.

const catalogue = JSON.parse(document.getElementById("words").textContent);

export const lang = document.documentElement.lang;

function fill(text, facts) {
  return text.replace(/\{(\w+)\}/g, (blank, name) => (name in facts ? String(facts[name]) : blank));
}

export function _(text, facts = {}) {
  return fill(catalogue[text] || text, facts);
}

export function ngettext(one, many, count, facts = {}) {
  const [translatedOne, translatedMany] = catalogue[one] || [one, many];
  return fill((count === 1 ? translatedOne : translatedMany) || (count === 1 ? one : many), { n: count, ...facts });
}

// "Ada, Ben and Cleo" in the page's language.
export function list(names) {
  return new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
}
