// How a Maori table looks on a page: the display with the ship, boards with their islands, stores and shells.

import { h } from "../dom.js";
import { _, ngettext } from "../words.js";
import { shellSign, tile, tileWords } from "./maori-tiles.js";

const SIZE = 4; // rows and columns of the display
const POSITIONS = 4 * SIZE; // of the ship around it

export const points = (n) => ({ count: n, label: _("Points: {n}", { n }), sign: h("span", { class: "star", "aria-hidden": "true", text: "★" }) });

// --- the display ------------------------------------------------------------------------------------------------

// Row and column of a ship's position on the field of six by six around the display.
function shipPlace(position) {
  const [side, at] = [Math.floor(position / SIZE), position % SIZE];
  return [[0, at + 1], [at + 1, SIZE + 1], [SIZE + 1, SIZE - at], [SIZE - at, 0]][side];
}

// Cells [row, column] of the display as the ship sees them, the nearest first.
function shipLine(position) {
  const [row, column] = shipPlace(position);
  return Array.from({ length: SIZE }, (_none, i) => {
    if (row === 0) return [i, column - 1];
    if (row === SIZE + 1) return [SIZE - 1 - i, column - 1];
    return column === 0 ? [row - 1, i] : [row - 1, SIZE - 1 - i];
  });
}

const place = (row, column) => `grid-area: ${row + 1} / ${column + 1}`;

const shipSign = () =>
  h("svg:svg", { class: "ma-ship", viewBox: "0 0 40 40", "aria-hidden": "true" }, h("svg:path", { d: "M4 25h32l-6 9H10zM19 5v17H7zM22 5c6 4 9 10 10 17H22z" }));

export function ringOf({ display, ship, tiles }, around = null) {
  const inLine = ship === null ? [] : shipLine(ship).map(String);
  const cells = Array.from({ length: SIZE * SIZE }, (_none, i) => {
    const [row, column] = [Math.floor(i / SIZE), i % SIZE];
    const name = display?.[row][column] ?? null;
    return h("span", { class: `ma-cell ${inLine.includes(String([row, column])) ? "line" : ""}`, style: place(row + 1, column + 1) }, name ? tile(tiles[name]) : null);
  });
  const ring = around ? Array.from({ length: POSITIONS }, (_none, position) => around(position, place(...shipPlace(position)))) : [];
  return h("div", { class: `ma-ring ${around ? "tapped" : ""}` }, cells, ring, ship === null || around ? null : h("span", { class: "ma-at", style: place(...shipPlace(ship)), role: "img", "aria-label": _("The ship") }, shipSign()));
}

// --- what lies on the table -------------------------------------------------------------------------------------

export const lying = (view) =>
  h(
    "div",
    { class: "ma-lying" },
    h(
      "div",
      {},
      h("h2", {}, _("Display"), h("small", { text: `${ngettext("one tile in the pile", "{n} tiles in the pile", view.state.pile)}, ${ngettext("one shell left", "{n} shells left", view.state.supply)}` })),
      view.state.display ? ringOf(view.state) : null,
    ),
    h("div", {}, h("h2", { text: _("Boards") }), h("ul", { class: "ma-boards" }, seatsOf(view).map((seat) => h("li", { class: seat === view.you ? "you" : "" }, boardOf(view, seat))))),
  );

const seatsOf = ({ seats, you }) => seats.map((one) => one.seat).sort((a, b) => (b === you) - (a === you) || a - b);

function boardOf(view, seat) {
  const { stores, shells, tiles } = view.state;
  return [
    h(
      "p",
      { class: "ma-owner" },
      h("b", { class: "name", text: view.seats[seat].name ?? "" }),
      h("span", { class: "ma-shells", role: "img", "aria-label": ngettext("one shell", "{n} shells", shells[seat]) }, shellSign(), h("b", { "aria-hidden": "true", text: shells[seat] })),
      h("span", { class: "ma-store", role: "img", "aria-label": `${_("Store")}: ${stores[seat] ? tileWords(tiles[stores[seat]]) : _("empty")}` }, h("small", { "aria-hidden": "true", text: _("Store") }), stores[seat] ? tile(tiles[stores[seat]]) : h("span", { class: "ma-none" })),
    ),
    board(view.state, seat),
  ];
}

export function fieldWords(row, column, there) {
  const field = _("Row {row}, column {column}", { row: row + 1, column: column + 1 });
  return `${field}: ${there}`;
}

// A board; `field(row, column, face, words)` makes what stands in each field (a drawing, or a button to tap).
function board(state, seat, field = (_row, _column, face, words) => h("span", { class: "ma-field", role: "img", "aria-label": words }, face)) {
  const printed = new Map(state.board.printed.map((one) => [String(one.field), one]));
  const finished = new Set(state.finished[seat].map(String));
  return h(
    "div",
    { class: "ma-board", style: `grid-template-columns: repeat(${state.board.columns}, minmax(0, 1fr))` },
    state.boards[seat].flatMap((names, row) =>
      names.map((name, column) => {
        const land = printed.get(String([row, column]));
        const shown = land ?? (name ? state.tiles[name] : null);
        const done = finished.has(String([row, column]));
        const words = fieldWords(row, column, shown ? tileWords(shown) : _("free water"));
        return field(row, column, shown ? tile(shown, { printed: Boolean(land), finished: done }) : null, done ? `${words} (${_("finished")})` : words);
      }),
    ),
  );
}

// --- choosing ---------------------------------------------------------------------------------------------------

export const choosingFrom = ({ state }) => ({ ship: state.ship, display: state.display, boards: state.boards, stores: state.stores, shells: state.shells });

export const choosesFreely = (view) => view.to_act.includes(view.you);

export const chooser = (view, choices, act, { ask }) => (view.state.step === "sail" ? sailing(view, act, ask) : doing(view, choices, act));

// Tap where the ship goes, or count steps; the rules say what that costs before it is done (ask null: it is only asked).
export function sailing(view, act, ask) {
  let steps = 0;
  let asked = 0;
  const says = h("p", { class: "hint", "aria-live": "polite", text: _("Tap where the ship goes, or count its steps.") });
  const count = h("output", { class: "ma-steps" });
  const confirm = h("button", { type: "button", class: "main", disabled: true, onclick: () => act({ do: "sail", steps }) });
  const spots = [];
  const stepsTo = (position) => ((position - view.state.ship + POSITIONS - 1) % POSITIONS) + 1;
  const ring = ringOf(view.state, (position, style) => {
    spots[position] = h("button", { type: "button", class: "ma-spot", style, "aria-label": ngettext("one step", "{n} steps", stepsTo(position)), onclick: () => go(stepsTo(position)) }, position === view.state.ship ? shipSign() : null);
    return spots[position];
  });
  const less = h("button", { type: "button", "aria-label": _("One step less"), text: "−", onclick: () => go(Math.max(1, steps - 1)) });
  const more = h("button", { type: "button", "aria-label": _("One step more"), text: "+", onclick: () => go(steps + 1) });
  async function go(to) {
    steps = to;
    asked += 1;
    const mine = asked;
    show();
    confirm.disabled = Boolean(ask);
    if (!ask) return;
    const { legal, because } = await ask({ do: "sail", steps }).catch(() => ({ legal: true, because: "" }));
    if (mine !== asked) return;
    says.textContent = because;
    confirm.disabled = !legal;
  }
  function show() {
    count.textContent = steps;
    spots.forEach((spot, position) => spot.setAttribute("aria-pressed", String(steps > 0 && position === (view.state.ship + steps) % POSITIONS)));
    confirm.textContent = !steps ? _("Where to?") : ask ? ngettext("Sail one step", "Sail {n} steps", steps) : _("Ask");
  }
  show();
  return h("div", { class: "chooser" }, ring, h("div", { class: "ma-stepper" }, less, count, more), says, confirm);
}

// First what: a tile of the line, the stored one, one to remove, or nothing; then where it goes on the own board.
function doing(view, choices, act) {
  const { state, you } = view;
  const takes = (skip) => choices.filter(({ action }) => action.do === "take" && action.skip === skip);
  const of = (deed) => choices.filter(({ action }) => action.do === deed);
  const sources = inLine(state, takes).filter((source) => source.choices.length);
  if (state.stores[you]) sources.push({ face: [tile(state.tiles[state.stores[you]]), h("small", { text: _("stored") })], label: _("The stored tile"), choices: of("place_stored") });
  if (of("remove").length) sources.push({ face: [h("span", { class: "ma-word", text: "✕" }), h("small", { text: _("remove one") })], label: _("Remove a tile"), choices: of("remove") });
  sources.push({ face: [h("span", { class: "ma-word", text: "–" }), h("small", { text: _("nothing") })], label: _("Do nothing"), choices: of("nothing") });
  return twoSteps(state, you, sources, act);
}

// The tiles that the ship sees, the nearest first. takes(skip): what can be chosen with each.
function inLine(state, takes) {
  const line = shipLine(state.ship).map(([row, column]) => state.display[row][column]).filter(Boolean);
  const inWords = (skip) => _("Tile {n} of the line", { n: skip + 1 });
  return line.map((name, skip) => ({
    face: [tile(state.tiles[name]), h("small", { text: skip ? ngettext("one shell", "{n} shells", skip) : _("free") })],
    label: `${inWords(skip)}: ${tileWords(state.tiles[name])}`,
    choices: takes(skip),
  }));
}

export const taking = (state, seat, takes, act) => twoSteps(state, seat, inLine(state, takes), act);

function twoSteps(state, seat, sources, act) {
  const where = h("div", { class: "ma-where" });
  const buttons = sources.map((source) => h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": source.label, onclick: () => choose(source) }, source.face));
  function choose(source) {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(sources[i] === source)));
    where.replaceChildren(whereTo(state, seat, source.choices, act));
  }
  return h("div", { class: "chooser" }, h("p", { class: "hint", text: _("First tap what you take or do, then where it goes.") }), h("div", { class: "taps" }, buttons), where);
}

export function whereTo(state, seat, choices, act) {
  if (choices.length === 1 && choices[0].action.do === "nothing") return confirmed(choices[0], act);
  let chosen = null;
  const buttons = new Map();
  const confirm = h("button", { type: "button", class: "main", disabled: true, text: _("Tap a field"), onclick: () => act(chosen.action) });
  const targetOf = ({ action }) => String(action.to ?? action.field);
  function spot(target, face, words, kind) {
    const choice = choices.find((one) => targetOf(one) === target);
    if (!choice) return h("span", { class: kind, role: "img", "aria-label": words }, face);
    buttons.set(target, h("button", { type: "button", class: kind, "aria-pressed": "false", "aria-label": words, onclick: () => tap(choice) }, face));
    return buttons.get(target);
  }
  function tap(choice) {
    chosen = choice;
    for (const [target, button] of buttons) button.setAttribute("aria-pressed", String(target === targetOf(choice)));
    confirm.disabled = false;
    confirm.textContent = choice.text;
  }
  const fields = board(state, seat, (row, column, face, words) => spot(String([row, column]), face, words, "ma-field"));
  const store = choices.some((one) => targetOf(one) === "store") ? spot("store", _("Into the store"), _("Into the store"), "ma-into") : null;
  return h("div", { class: "chooser" }, fields, store, confirm);
}

const confirmed = (choice, act) => h("button", { type: "button", class: "main", text: choice.text, onclick: () => act(choice.action) });
