// Rules on a page: an id that can be tapped, the rule with its neighbours, and rulings.

import { h } from "./dom.js";
import { attempt, look, sheet } from "./sheets.js";
import { _ } from "./words.js";

// A rule's id: on a phone it opens the rule's text; a television only shows it.
export function ruleMark(id) {
  if (!id) return null;
  if (document.body.classList.contains("television")) return h("small", { class: "rule", text: id });
  return h("button", { type: "button", class: "rule", text: id, "aria-label": _("Rule {id}", { id }), onclick: () => openRule(id) });
}

export const openRule = (id) =>
  attempt(null, async () => {
    const rule = await look(`/rules/${encodeURIComponent(id)}.json`);
    sheet(h("h2", { text: rule.heading }), law(rule), neighbours(rule.neighbours));
  });

const law = ({ id, text, note, book }) =>
  h("blockquote", {}, h("p", { text }), note ? h("p", { class: "hint", text: note }) : null, h("footer", { text: `${id} · ${book}` }));

// The rules beside one, to be unfolded.
export function neighbours(rules) {
  if (!rules?.length) return null;
  return h(
    "details",
    { class: "neighbours" },
    h("summary", {}, h("span", { text: _("The rules beside it") })),
    rules.map((rule) => h("article", { class: "law" }, h("p", { text: rule.text }), h("footer", { text: `${rule.id} · ${rule.heading}` }))),
  );
}

// A ruling in words: the answer, why, and what the rules say.
export function ruling({ legal, because, says, rule, source, neighbours: beside, supposed }) {
  return [
    h("h2", { text: legal ? _("Yes, this is allowed") : _("No, this is not allowed"), class: legal ? "yes" : "no" }),
    because ? h("p", { class: "because", text: because }) : null,
    supposed ? h("p", { class: "hint", text: _("Provided that this seat has what it takes: only its player knows.") }) : null,
    h("blockquote", {}, h("p", { text: says }), h("footer", { text: [rule, source?.book, source?.heading].filter(Boolean).join(" · ") })),
    neighbours(beside),
  ].filter(Boolean);
}
