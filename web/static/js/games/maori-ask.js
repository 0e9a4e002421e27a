// What one may ask about in Maori: sailing, the five things that may follow, and what the table lays.

import { h } from "../dom.js";
import { bare, entered } from "../imagined.js";
import { _ } from "../words.js";
import { entries } from "./maori-entry.js";
import { sailing, taking, whereTo } from "./maori.js";

export const imaginable = (view, who) => (who === "table" ? laid(view) : done(view, who));

const laid = (view) => [
  entered(_("Lay the display"), (ask) => entries.lay_display(ask, view)),
  entered(_("Fill the gap"), (ask) => entries.refill(ask, view)),
];

// To every field of a board, free or not, and into the store, full or not.
function done(view, seat) {
  const { state } = view;
  const { rows, columns } = state.board;
  const fields = Array.from({ length: rows * columns }, (_none, i) => [Math.floor(i / columns), i % columns]);
  const asked = (actions) => actions.map((action) => ({ action, text: _("Ask") }));
  const onto = (deed) => (ask) => whereTo(state, seat, asked(fields.map((field) => ({ do: deed, field }))), ask);
  const shown = (form) => (ask) => (state.display ? form(ask) : h("p", { class: "hint", text: _("The display is not laid yet.") }));
  const takes = (skip) => asked([...fields, "store"].map((to) => ({ do: "take", skip, to })));
  return [
    entered(_("Sail"), shown((ask) => sailing(view, ask, null))),
    entered(_("Take a tile"), shown((ask) => taking(state, seat, takes, ask))),
    entered(_("Lay the stored tile"), onto("place_stored")),
    entered(_("Remove a tile"), onto("remove")),
    bare(_("Do nothing"), { do: "nothing" }),
  ];
}
