// What one may ask about in Rapa Nui: buying, laying, offering, taking, scoring, and what the table lays.

import { h } from "../dom.js";
import { askButton, bare, entered, oneDetail } from "../imagined.js";
import { _ } from "../words.js";
import { card, CARDS, face, FULL, nameOf, OFFERINGS } from "./rapa-nui.js";
import { entries } from "./rapa-nui-entry.js";

const MOST = 4; // cards laid at once, imagined: more than the rules allow
const COLUMNS = [1, 2, 3, 4];

export const imaginable = (view, who) => (who === "table" ? laid(view) : done(view));

const laid = (view) => [
  entered(_("Deal the hunters"), (ask) => entries.deal(ask, view)),
  entered(_("Lay the display"), (ask) => entries.lay_display(ask, view)),
  entered(_("Fill a column"), (ask) => entries.refill(ask, view, { cards: Array(Math.min(FULL, view.state.pile) || FULL) })),
];

function done(view) {
  const drawn = (action) => ({ ...face(view, action), action });
  const offerings = (deed, none = []) => [...OFFERINGS, ...none].map((offering) => drawn({ do: deed, offering }));
  return [
    oneDetail(_("Buy an offering card"), offerings("buy"), "four"),
    entered(_("Lay cards"), laying),
    bare(_("Return a Moai"), { do: "return_moai" }),
    oneDetail(_("Offer an own card"), offerings("offer"), "four"),
    oneDetail(_("Offer a card of a stack"), offerings("offer_from_supply", [null]), "four"),
    oneDetail(_("Take a card"), COLUMNS.map((column) => drawn({ do: "take", column })), "four"),
    oneDetail(_("Choose wood or fame"), ["wood", "fame"].map((take) => drawn({ do: "income", take })), "four"),
    oneDetail(_("Take another sort"), offerings("substitute", [null]), "four"),
  ];
}

// Any cards, also such as cannot be laid together: a tap on a kind adds one, a tap on one laid takes it away.
function laying(ask) {
  const chosen = [];
  const row = h("div", { class: "taps four rn-chosen", role: "group", "aria-label": _("Cards to lay: tap one to take it away") });
  const palette = CARDS.map((name) => h("button", { type: "button", class: "tap", "aria-label": nameOf(name), onclick: () => change(() => chosen.push(name)) }, card(name)));
  const confirm = askButton(() => ask({ do: "play", cards: [...chosen] }));
  function change(how) {
    how();
    row.replaceChildren(
      ...chosen.map((name, at) => h("button", { type: "button", class: "tap", "aria-label": _("Take away: {card}", { card: nameOf(name) }), onclick: () => change(() => chosen.splice(at, 1)) }, card(name))),
      ...Array.from({ length: MOST - chosen.length }, () => h("span", { class: "rn-card none", "aria-hidden": "true" })),
    );
    palette.forEach((button) => (button.disabled = chosen.length === MOST));
    confirm.disabled = !chosen.length;
  }
  change(() => {});
  return h("div", { class: "chooser" }, row, h("div", { class: "taps four palette" }, palette), confirm);
}
