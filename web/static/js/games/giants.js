// How a Giants table looks on a page: the island, the quarry, the supplies, the clans, and what is behind one's screen.

import { h } from "../dom.js";
import { _, ngettext } from "../words.js";
import { BidPicker, handsOf, STOCK } from "./giants-bid.js";
import { choose } from "./giants-choose.js";
import { alone, figureSign, island, logSign, pieceSign, pieceWords } from "./giants-map.js";

export { BidPicker as Choice };
export { sealedArgs } from "./giants-bid.js";

export const points = (n) => ({ count: n, label: _("Points: {n}", { n }), sign: h("span", { class: "star", "aria-hidden": "true", text: "★" }) });

// Prestige and whole tablets: what everybody can count before the end.
export const counted = (state) => state.known.map(({ prestige, tablets }, seat) => ({ seat, total: prestige + tablets }));

// --- what lies on the table -------------------------------------------------------------------------------------

export const lying = (view) => h("div", { class: "gi-lying" }, offers(view), h("div", {}, h("h2", { text: _("The island") }), island(view)), clans(view));

function offers({ state }) {
  const { supply, quarry } = state;
  const stock = [
    ...["1", "2", "3"].map((size) => [alone(pieceSign({ kind: "moai", size })), supply.moais[size], _("Moais of size {n}", { n: size })]),
    [alone(pieceSign({ kind: "headdress" })), supply.headdresses, _("headdresses")],
    [alone(logSign()), supply.logs, _("logs")],
    [alone(h("svg:path", { class: "tablet", d: "M-6-9H6V9H-6z" })), supply.half_tablets, _("half tablets")],
  ];
  return h(
    "div",
    { class: "gi-offers" },
    h("div", {}, h("h2", { text: _("Quarry tile") }), h("p", { class: "gi-quarry" }, quarry.length ? quarry.map((size) => alone(pieceSign({ kind: "moai", size }), _("Moai of size {n}", { n: size }))) : h("span", { class: "hint", text: _("empty") }))),
    h("div", {}, h("h2", { text: _("In the box") }), h("ul", { class: "gi-stock" }, stock.map(([sign, count, words]) => h("li", { "aria-label": `${words}: ${count}` }, sign, h("b", { "aria-hidden": "true", text: count }))))),
  );
}

// Each clan with its colour and number, and what lies before its screen.
function clans({ state, seats, you }) {
  const order = seats.map((one) => one.seat).sort((a, b) => (b === you) - (a === you) || a - b);
  return h("div", {}, h("h2", { text: _("Clans") }), h("ul", { class: "gi-clans" }, order.map((seat) => h("li", { class: seat === you ? "you" : "" }, clan(state, seats, seat)))));
}

function clan(state, seats, seat) {
  const before = Object.values(state.pieces).filter((piece) => piece.before === seat);
  const bid = state.bids[seat];
  const facts = [
    seat === state.start ? _("start player") : null,
    ngettext("one half tablet", "{n} half tablets", state.half_tablets[seat]),
    state.spent[seat] ? ngettext("one marker spent", "{n} markers spent", state.spent[seat]) : null,
    bid ? _("bid: {bid}", { bid: handsOf(bid) }) : null,
    state.passed.includes(seat) ? _("is done") : null,
  ].filter(Boolean);
  return [
    h("p", { class: "gi-clan" }, alone(figureSign(seat, "worker")), h("b", { class: "name", text: seats[seat].name ?? "" }), before.map((piece) => alone(pieceSign(piece), pieceWords(piece, seats)))),
    h("p", { class: "hint", text: facts.join(" · ") }),
  ];
}

// --- what only its owner may see --------------------------------------------------------------------------------

export const holdWords = () => _("Hold to see my stock");

export const ownSecret = (view) => view.state?.behind_screen?.[view.you] ?? null;

export const hand = (own) => [
  h("h2", { text: _("Behind your screen") }),
  h("ul", { class: "gi-own" }, Object.entries(STOCK).map(([name, words]) => h("li", {}, h("span", { text: words() }), h("b", { text: own[name] })))),
];

export const LIMITS = { bid: [0, 99] };
export const TITLES = { bid: () => _("Your bid") };
export const invitation = () => _("Markers decide who chooses first; the figures carve the Moais. It may be nothing at all.");
export const chooseWords = () => _("Choose markers and figures");
export const opened = () => _("The bids");
export const secretBeads = (args) => h("span", { text: handsOf(args) });

// --- choosing ---------------------------------------------------------------------------------------------------

const CHOSEN = ["carve", "place", "move"];

export const choosesFreely = (view) => view.to_act.includes(view.you) && CHOSEN.includes(view.phase?.code);

export const choosingFrom = ({ phase, state }) => [phase.code, state.round, state.turn, state.figures, state.pieces, state.ahus, state.quarry, state.felled, state.spent];

export const chooser = choose;

// Out of turn: looking under a Moai, and at a round's end putting markers on what came to its quarry, or taking them back.
export function besides({ state, seats, you }) {
  if (you === null) return [];
  const pieces = Object.entries(state.pieces);
  const ending = state.phase === "end";
  const marks = pieces.filter(([, piece]) => ending && piece.keeper === you && !Number.isInteger(piece.marker));
  const unmarks = pieces.filter(([, piece]) => ending && piece.marker === you);
  const standing = Object.entries(state.ahus).filter(([, site]) => site.moai !== null && state.half_tablets[you]);
  return [
    ...marks.map(([piece, one]) => ({ action: { do: "mark", piece }, text: _("Mark: {piece}", { piece: pieceWords(one, seats) }) })),
    ...unmarks.map(([piece, one]) => ({ action: { do: "unmark", piece }, text: _("Take your marker back: {piece}", { piece: pieceWords(one, seats) }) })),
    ...standing.map(([ahu]) => ({ action: { do: "peek", ahu }, text: _("Pay half a tablet to look under the Moai on {ahu}", { ahu }) })),
  ];
}
