// How a Rapa Nui table looks on a page: the display, the stone, the stacks, the villages, and what may be chosen.

import { h } from "../dom.js";
import { privately } from "../sheets.js";
import { _, ngettext } from "../words.js";
import { tapOne } from "./tapping.js";

export const OFFERINGS = ["fish", "mulberry", "sweet-potato", "grain"];
export const CARDS = ["woodcutter", "priest", "moai", ...OFFERINGS.map((sort) => `hunter-${sort}`)];

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
  woodcutter: "M13.600 6.200 15.300 4.500c2.600-.4 4.500.6 5.700 2.300-1.400 2.600-3.200 4.400-5.700 5.400l-2-2L5.500 20.500 3.600 18.600z",
  priest: "M12 2.500a3.300 3.300 0 1 1 0 6.600 3.300 3.300 0 0 1 0-6.600zM9.700 9.800h4.600l4.700 11.700H5zM11.300 12v7.500h1.400V12z",
  moai: "M8.200 2h7.600l1.200 5.200-.7 2.300 1.500 4.200-1.300 8.300H7.500l-1.300-8.300 1.500-4.200L7 7.200zM8.500 7.800v1.500h2.700l-.5 5h2.600l-.5-5h2.700V7.800zM9.300 17v1.400h5.400V17z",
  fish: "M2 12c3-5.300 10-6 14.200-1.300L21.500 6.500c-.8 3.600-.8 7.400 0 11l-5.300-4.200C12 18 5 17.300 2 12zM6.200 9.900a1.100 1.100 0 1 0 .02 0z",
  mulberry: "M12.700 6.800C13 4.800 14 3.500 16 2.500l.7 1.200c-1.500.8-2.300 1.800-2.600 3.200zM8.500 7a2.700 2.700 0 1 1 .02 0zM8.600 6.500a2.600 2.600 0 1 1-.02 0zM15.400 6.500a2.600 2.600 0 1 1-.02 0zM12 7.300a2.500 2.500 0 1 1-.02 0zM7.600 11.200a2.600 2.600 0 1 1-.02 0zM16.400 11.200a2.600 2.600 0 1 1-.02 0zM12 11.700a2.700 2.700 0 1 1-.02 0zM9.500 15.700a2.600 2.600 0 1 1-.02 0zM14.500 15.700a2.600 2.600 0 1 1-.02 0zM12 18.200a2.100 2.100 0 1 1-.02 0z",
  "sweet-potato": "M3.200 19.800c-1.700-3.600.7-8.600 4.800-11.600 3.500-2.600 7.600-3.300 9.300-1.500 1.900 2 1.200 6.500-2 9.700-3.300 3.400-8.300 6-12.100 3.400zM17.600 5.400c.2-1.700 1.500-3.100 3.600-3.400-.1 2-1.100 3.500-2.700 4.200zM8 12.200l1 1 2.200-2.200-1-1zM9.600 16.200l1 1 2.600-2.600-1-1z",
  grain: "M11.200 22V9.500h1.600V22zM12 1.500c1.800 1.700 1.800 4 0 5.700-1.800-1.700-1.800-4 0-5.700zM6.600 5c2.500.2 4 1.700 4.300 4.200C8.400 9 6.900 7.500 6.600 5zM17.400 5c-.3 2.500-1.800 4-4.300 4.200.3-2.500 1.800-4 4.300-4.200zM6.600 9.800c2.500.2 4 1.700 4.300 4.200-2.500-.2-4-1.700-4.300-4.200zM17.400 9.800c-.3 2.500-1.800 4-4.300 4.200.3-2.500 1.800-4 4.300-4.200zM6.600 14.600c2.500.2 4 1.700 4.300 4.200-2.500-.2-4-1.700-4.300-4.200zM17.400 14.600c-.3 2.500-1.800 4-4.300 4.200.3-2.500 1.800-4 4.300-4.200z",
  wood: "M3.500 10.500h13.700a3.700 3.700 0 0 1 0 7.400H3.500zM17.200 12.300a1.900 1.900 0 1 0 .02 0zM3.500 6h9.700v1.700H3.500z",
  fame: "M12 2l2.900 6.300 6.900.8-5.100 4.700 1.400 6.800L12 17.200l-6.100 3.400 1.400-6.800L2.200 9.100l6.900-.8z",
  back: "M12 5.500c4 0 6 2.400 8 6.500-2 4.100-4 6.500-8 6.500S6 16.100 4 12c2-4.100 4-6.500 8-6.500zM12 8.700a3.300 3.300 0 1 0 .02 0z",
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
  return h("div", {}, h("p", { text: hint(view) }), tapOne(options, act));
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

function face(view, action) {
  if (action.do === "take") {
    const name = view.state.columns[action.column - 1].at(-1);
    return { face: [h("span", { class: "rn-number", "aria-hidden": "true", text: action.column }), card(name)], label: `${_("Column {n}", { n: action.column })}: ${nameOf(name)}` };
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
