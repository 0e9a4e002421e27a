// How a Rapa Nui table looks on a page: the display, the stone, the stacks, the villages, and what may be chosen.

import { h } from "../dom.js";
import { privately } from "../sheets.js";
import { _, ngettext } from "../words.js";
import { tapOne } from "./tapping.js";

export const OFFERINGS = ["fish", "mulberry", "sweet-potato", "grain"];
export const CARDS = ["woodcutter", "priest", "moai", ...OFFERINGS.map((sort) => `hunter-${sort}`)];

export const FULL = 4; // cards in a column

const SOFT_HYPHEN = "\u00ad";

// On a card a long name is divided at the bars.
const NAMES = {
  woodcutter: () => _("Wood|cutter"),
  priest: () => _("Priest"),
  moai: () => _("Moai"),
  fish: () => _("Fish"),
  mulberry: () => _("Mul|berry"),
  "sweet-potato": () => _("Sweet potato"),
  grain: () => _("Grain"),
};

const sortOf = (name) => name.replace("hunter-", "");

const plainName = (name) => NAMES[name]().replaceAll("|", "");

export const nameOf = (name) => (name.startsWith("hunter-") ? _("Hunter: {sort}", { sort: plainName(sortOf(name)) }) : plainName(name));

// One path each on a field of 24 × 24; what is cut out of a shape is drawn against its winding.
const SIGNS = {
  woodcutter: "M13.6 6.2 15.3 4.5c2.6-.4 4.5.6 5.7 2.3-1.4 2.6-3.2 4.4-5.7 5.4l-2-2L5.5 20.5 3.6 18.6z",
  priest: "M12 2.5a3.3 3.3 0 1 1 0 6.6 3.3 3.3 0 0 1 0-6.6zM9.7 9.8h4.6l4.7 11.7H5zM11.3 12v7.5h1.4V12z",
  moai: "M8.2 2h7.6l1.2 5.2-.7 2.3 1.5 4.2-1.3 8.3H7.5l-1.3-8.3 1.5-4.2L7 7.2zM8.5 7.8v1.5h2.7l-.5 5h2.6l-.5-5h2.7V7.8zM9.3 17v1.4h5.4V17z",
  fish: "M2 12c3-5.3 10-6 14.2-1.3L21.5 6.5c-.8 3.6-.8 7.4 0 11l-5.3-4.2C12 18 5 17.3 2 12zM6.2 9.9a1.1 1.1 0 1 0 .02 0z",
  mulberry: "M12.7 6.8C13 4.8 14 3.5 16 2.5l.7 1.2c-1.5.8-2.3 1.8-2.6 3.2zM8.5 7a2.7 2.7 0 1 1 .02 0zM8.6 6.5a2.6 2.6 0 1 1-.02 0zM15.4 6.5a2.6 2.6 0 1 1-.02 0zM12 7.3a2.5 2.5 0 1 1-.02 0zM7.6 11.2a2.6 2.6 0 1 1-.02 0zM16.4 11.2a2.6 2.6 0 1 1-.02 0zM12 11.7a2.7 2.7 0 1 1-.02 0zM9.5 15.7a2.6 2.6 0 1 1-.02 0zM14.5 15.7a2.6 2.6 0 1 1-.02 0zM12 18.2a2.1 2.1 0 1 1-.02 0z",
  "sweet-potato": "M3.2 19.8c-1.7-3.6.7-8.6 4.8-11.6 3.5-2.6 7.6-3.3 9.3-1.5 1.9 2 1.2 6.5-2 9.7-3.3 3.4-8.3 6-12.1 3.4zM17.6 5.4c.2-1.7 1.5-3.1 3.6-3.4-.1 2-1.1 3.5-2.7 4.2zM8 12.2l1 1 2.2-2.2-1-1zM9.6 16.2l1 1 2.6-2.6-1-1z",
  grain: "M11.2 22V9.5h1.6V22zM12 1.5c1.8 1.7 1.8 4 0 5.7-1.8-1.7-1.8-4 0-5.7zM6.6 5c2.5.2 4 1.7 4.3 4.2C8.4 9 6.9 7.5 6.6 5zM17.4 5c-.3 2.5-1.8 4-4.3 4.2.3-2.5 1.8-4 4.3-4.2zM6.6 9.8c2.5.2 4 1.7 4.3 4.2-2.5-.2-4-1.7-4.3-4.2zM17.4 9.8c-.3 2.5-1.8 4-4.3 4.2.3-2.5 1.8-4 4.3-4.2zM6.6 14.6c2.5.2 4 1.7 4.3 4.2-2.5-.2-4-1.7-4.3-4.2zM17.4 14.6c-.3 2.5-1.8 4-4.3 4.2.3-2.5 1.8-4 4.3-4.2z",
  wood: "M3.5 10.5h13.7a3.7 3.7 0 0 1 0 7.4H3.5zM17.2 12.3a1.9 1.9 0 1 0 .02 0zM3.5 6h9.7v1.7H3.5z",
  fame: "M12 2l2.9 6.3 6.9.8-5.1 4.7 1.4 6.8L12 17.2l-6.1 3.4 1.4-6.8L2.2 9.1l6.9-.8z",
  back: "M12 5.5c4 0 6 2.4 8 6.5-2 4.1-4 6.5-8 6.5S6 16.1 4 12c2-4.1 4-6.5 8-6.5zM12 8.7a3.3 3.3 0 1 0 .02 0z",
};

export const sign = (name) =>
  h("svg:svg", { class: "rn-sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("svg:path", { "fill-rule": "evenodd", d: SIGNS[name] }));

// A card: "woodcutter", "hunter-fish", …; an offering card: "fish", … or "back".
export const card = (name, words = true) =>
  h(
    "span",
    { class: `rn-card ${name.startsWith("hunter-") ? "hunter" : name}${name in SIGNS && OFFERINGS.includes(name) ? " offering" : ""}` },
    sign(sortOf(name)),
    words ? h("span", { class: "words", text: (NAMES[sortOf(name)] ?? (() => _("face down")))().replaceAll("|", SOFT_HYPHEN) }) : null,
  );

const amount = (name, count, label) => h("span", { class: "rn-amount", role: "img", "aria-label": label }, sign(name), h("b", { text: count, "aria-hidden": "true" }));

export const points = (n) => ({ count: n, label: _("Points: {n}", { n }), sign: sign("fame") });

// --- what lies on the table -------------------------------------------------------------------------------------

export const lying = (view) => h("div", { class: "rn-lying" }, display(view.state), middle(view.state), villages(view));

function display({ columns, pile }) {
  return h(
    "div",
    {},
    h("h2", {}, _("Display"), h("small", { text: ngettext("one card in the pile", "{n} cards in the pile", pile) })),
    h("ol", { class: "rn-columns" }, columns.map((column, i) => h("li", { "aria-label": columnWords(column, i) }, drawColumn(column, i)))),
  );
}

const columnWords = (column, i) => `${_("Column {n}", { n: i + 1 })}: ${column.map(nameOf).join(", ") || _("empty")}`;

const drawColumn = (column, i) => [
  h("span", { class: "rn-number", "aria-hidden": "true", text: i + 1 }),
  column.map((name, at) => (at === column.length - 1 ? card(name) : h("span", { class: `rn-strip ${name.startsWith("hunter-") ? "hunter" : name}`, "aria-hidden": "true" }, sign(sortOf(name))))),
];

function middle({ stone, supply }) {
  const top = stone.top ? card(stone.top) : stone.empty ? h("span", { class: "rn-card none", text: _("empty") }) : card("back");
  return h(
    "div",
    { class: "rn-middle" },
    h("div", { class: "rn-stone" }, h("h2", { text: _("Stone") }), top),
    h("div", {}, h("h2", { text: _("Stacks") }), h("ul", { class: "rn-stacks" }, OFFERINGS.map((sort) => h("li", { class: supply[sort] ? "" : "gone" }, card(sort), supply[sort] ? null : h("small", { text: _("empty") }))))),
  );
}

// Everybody's village, one's own first.
function villages({ state, seats, you }) {
  const order = seats.map((one) => one.seat).sort((a, b) => (b === you) - (a === you) || a - b);
  return h("div", {}, h("h2", { text: _("Villages") }), h("ul", { class: "rn-villages" }, order.map((seat) => h("li", { class: seat === you ? "you" : "" }, village(state, seats[seat])))));
}

function village(state, { seat, name }) {
  const kinds = CARDS.filter((kind) => state.tableaus[seat][kind]);
  return [
    h(
      "p",
      { class: "rn-owner" },
      h("b", { class: "name", text: name ?? "" }),
      amount("wood", state.wood[seat], _("Wood: {n}", { n: state.wood[seat] })),
      amount("fame", state.fame[seat], _("Fame: {n}", { n: state.fame[seat] })),
      amount("back", state.offering_counts[seat], _("Offering cards: {n}", { n: state.offering_counts[seat] })),
    ),
    h("ul", { class: "rn-laid" }, kinds.map((kind) => h("li", { "aria-label": `${nameOf(kind)}: ${state.tableaus[seat][kind]}` }, card(kind), h("b", { "aria-hidden": "true", text: `×${state.tableaus[seat][kind]}` })))),
  ];
}

// --- what only its owner may see --------------------------------------------------------------------------------

export const holdWords = () => _("Hold to see my cards");

export const ownSecret = (view) => (view.state?.hands?.[view.you] ? { hand: view.state.hands[view.you], offerings: view.state.offerings[view.you] } : null);

const spread = (bag, names) => names.flatMap((name) => Array.from({ length: bag[name] ?? 0 }, () => name));

export const hand = (own) => [
  h("h2", { text: _("Your hand") }),
  h("div", { class: "taps" }, spread(own.hand, CARDS).map((name) => card(name))),
  h("h2", { class: "later", text: _("Your offering cards") }),
  h("ul", { class: "rn-stacks" }, OFFERINGS.map((sort) => h("li", { "aria-label": `${nameOf(sort)}: ${own.offerings[sort]}` }, card(sort), h("b", { "aria-hidden": "true", text: `×${own.offerings[sort]}` })))),
];

// --- choosing ---------------------------------------------------------------------------------------------------

export const choosingFrom = (view) => ({ step: view.state.step, columns: view.state.columns, supply: view.state.supply });

const SECRETLY = { buy: () => _("Choose cards"), play: () => _("Choose cards"), offer: () => _("Choose an offering card") };

// What is chosen from the hand or the own offering cards is chosen in a sheet, out of others' sight; the rest openly.
export function chooser(view, choices, act) {
  const { step } = view.state;
  if (step in SECRETLY) {
    const open = step === "offer" ? openOffering : openHand;
    return h("div", { class: "chooser" }, h("p", { text: hint(view) }), h("button", { type: "button", class: "main", text: SECRETLY[step](), onclick: () => open(view, choices, act) }));
  }
  const options = choices.map(({ action, text }) => ({ ...face(view, action), action, text }));
  return h("div", {}, h("p", { text: hint(view) }), tapOne(options, act, options.length === 4 ? "four" : ""));
}

function hint({ state, you }) {
  return {
    buy: _("Buy one offering card first if you like, then lay one card, or up to three hunters of one sort."),
    play: _("Lay one card, or up to three hunters of one sort."),
    offer: state.seat === you ? _("Put one of your offering cards on the stone, face down.") : _("Put one of your offering cards on the stone, face up."),
    offer_from_supply: _("Put a card from a stack on the stone, face up."),
    take: _("Take the front card of a column."),
    income: _("Your Moais are scored: wood or fame, all of it the same."),
    substitute: _("The stack is empty. Take a card of another sort, or none."),
  }[state.step];
}

// What an action looks like, and in words.
export function face(view, action) {
  if (action.do === "take") {
    const name = view.state.columns[action.column - 1].at(-1);
    const front = name ? card(name) : h("span", { class: "rn-card none", text: _("empty") });
    return { face: [h("span", { class: "rn-number", "aria-hidden": "true", text: action.column }), front], label: `${_("Column {n}", { n: action.column })}: ${name ? nameOf(name) : _("empty")}` };
  }
  if (action.do === "income") {
    const words = action.take === "wood" ? _("Wood") : _("Fame");
    return { face: h("span", { class: `rn-card ${action.take}` }, sign(action.take), h("span", { class: "words", text: words })), label: words };
  }
  return action.offering ? { face: card(action.offering), label: nameOf(action.offering) } : { face: h("span", { class: "rn-card none", text: _("none") }), label: _("none") };
}

function openOffering(view, choices, act) {
  const own = view.state.offerings[view.you];
  const options = choices.map(({ action, text }) => ({ face: [card(action.offering), h("b", { text: `×${own[action.offering]}` })], label: `${nameOf(action.offering)}: ${own[action.offering]}`, action, text }));
  privately(h("h2", { text: hint(view) }), tapOne(options, act));
}

// The hand, and in the first step what may be bought. What the rules forbid may be tried: they say why.
function openHand(view, choices, act) {
  const cards = spread(view.state.hands[view.you], CARDS);
  const chosen = new Set();
  let other = null; // an offering card to buy, or a Moai to return
  const confirm = h("button", { type: "button", class: "main", onclick: () => act(chosen.size ? laid() : other.action) });
  const laid = () => ({ do: "play", cards: [...chosen].map((at) => cards[at]) });
  const textOf = (action) => choices.find((choice) => JSON.stringify(choice.action) === JSON.stringify({ by: view.you, ...action }))?.text;
  const hand = cards.map((name, at) => h("button", { type: "button", class: "tap", "aria-label": nameOf(name), onclick: () => lay(at) }, card(name)));
  const others = OFFERINGS.filter((sort) => view.state.step === "buy" && view.state.supply[sort]).map((sort) => ({ action: { do: "buy", offering: sort }, words: _("Buy: {sort}", { sort: nameOf(sort) }), face: card(sort) }));
  if (choices.some(({ action }) => action.do === "return_moai")) others.push({ action: { do: "return_moai" }, words: _("Put a Moai back into the box"), face: card("moai") });
  const buttons = others.map((one) => h("button", { type: "button", class: "tap", "aria-label": one.words, onclick: () => take(one) }, one.face));
  function lay(at) {
    other = null;
    if (chosen.has(at)) chosen.delete(at);
    else if ([...chosen].every((one) => cards[one] === cards[at] && cards[at].startsWith("hunter-"))) chosen.add(at);
    else {
      chosen.clear();
      chosen.add(at);
    }
    refresh();
  }
  function take(one) {
    chosen.clear();
    other = other === one ? null : one;
    refresh();
  }
  function refresh() {
    hand.forEach((button, at) => button.setAttribute("aria-pressed", String(chosen.has(at))));
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(others[i] === other)));
    confirm.disabled = !chosen.size && !other;
    confirm.textContent = chosen.size ? (textOf(laid()) ?? _("Lay it")) : (other?.words ?? _("Tap what you lay"));
  }
  refresh();
  privately(
    h("h2", { text: _("Lay from your hand") }),
    h("div", { class: "taps" }, hand),
    buttons.length ? h("h2", { class: "later", text: view.state.step === "buy" ? _("Or buy first") : _("Or") }) : null,
    h("div", { class: "taps four" }, buttons),
    h("p", { class: "hint", text: ngettext("You have one wood.", "You have {n} wood.", view.state.wood[view.you]) }),
    h("div", { class: "chooser" }, confirm),
  );
}
