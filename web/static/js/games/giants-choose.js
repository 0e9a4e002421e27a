// A turn in Giants: taking a Moai, placing a figure, or carrying a piece over the island, hex by hex.

import { h } from "../dom.js";
import { _ } from "../words.js";
import { alone, figureName, figureSign, helperWords, island, logSign, pieceSign, pieceWords, quarryOf } from "./giants-map.js";
import { tapOne } from "./tapping.js";

export function choose(view, _choices, act, { ways }) {
  return { carve: () => carving(view, act), place: () => placing(view, act), move: () => carrying(view, act, ways) }[view.phase.code]();
}

// Moais of these sizes to take, or none.
export const carvings = (sizes) => [
  ...sizes.map((size) => ({ face: [alone(pieceSign({ kind: "moai", size })), h("small", { text: _("size {n}", { n: size }) })], label: _("Moai of size {n}", { n: size }), action: { do: "carve", size }, text: _("Take the Moai of size {n}", { n: size }) })),
  { face: h("small", { text: _("none any more") }), label: _("none any more"), action: { do: "carve", size: null }, text: _("Take no Moai any more") },
];

const carving = ({ state }, act) => h("div", {}, h("p", { text: _("Take a Moai that your figures suffice for.") }), tapOne(carvings([...new Set(state.quarry)].sort()), act, "four"));

// Buttons of which one is pressed at a time; pick(value) is told which.
export function oneOf(options, pick) {
  const buttons = options.map(({ value, face, label }) => h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": label, onclick: () => press(value) }, face ?? label));
  function press(value, tell = true) {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(options[i].value === value)));
    if (tell) pick(value);
  }
  return { nodes: buttons, press };
}

const said = (text) => h("small", { text });

// A piece to tap.
export const pieceTap = (id, piece, seats) => ({ value: id, label: pieceWords(piece, seats), face: [alone(pieceSign(piece)), said(piece.hex ?? _("new"))] });

// A list to choose from. options: [[value, words]].
export const selected = (label, options, value, pick) =>
  h("select", { autocomplete: "off", "aria-label": label, onchange: (event) => pick(options[event.target.selectedIndex][0]) }, options.map(([each, text]) => h("option", { selected: each === value, text })));

// --- placing ----------------------------------------------------------------------------------------------------

const FIGURES = ["worker", "sorcerer", "chief"];
const DEEDS = { village: "village", hut: "hut", forest: "forest", headdress_quarry: "headdress" };

const DEED_WORDS = {
  village: () => _("Fetch a worker from the container"),
  hut: () => _("Fetch a marker from the container"),
  forest: () => _("Fell the forest"),
  headdress: () => _("Take a headdress"),
};

const BESIDES = [["rongo", () => _("half a tablet for a marker")], ["pass", () => _("pass")]];

// All figures are offered, whatever is behind the screen: nobody who looks on shall count them. Imagined, any figure may
// do anything anywhere.
export function placing(view, act, imagined = false) {
  const { you } = view;
  const wish = { what: null, hex: null, logs: 0, deed: null };
  const place = h("div", { class: "gi-steps" });
  const confirm = h("button", { type: "button", class: "main", onclick: () => act(action()) });
  const what = oneOf(
    [
      ...FIGURES.map((figure) => ({ value: figure, label: figureName(figure), face: [alone(figureSign(you, figure)), said(figureName(figure))] })),
      ...(imagined ? [] : BESIDES.map(([value, words]) => ({ value, label: words(), face: said(words()) }))),
    ],
    (value) => {
      wish.what = value;
      wish.deed = null;
      draw();
    },
  );
  const standing = () => FIGURES.includes(wish.what);
  const takesLogs = () => imagined || wish.what !== "chief";
  function action() {
    if (!standing()) return { do: wish.what };
    const deed = wish.deed?.startsWith("ahu ") ? { action: "reserve", ahu: wish.deed.slice(4) } : { action: wish.deed };
    return { do: "place", figure: wish.what, hex: wish.hex, logs: takesLogs() ? wish.logs : 0, ...deed };
  }
  function draw() {
    place.replaceChildren(...(standing() ? steps() : []));
    confirm.disabled = !wish.what || (standing() && !wish.hex);
    confirm.textContent = { rongo: _("Spend a marker for half a tablet"), pass: _("Pass for this phase") }[wish.what] ?? (!wish.what ? nothingYet : wish.hex ? placed() : _("Tap a hex"));
  }
  function steps() {
    const nodes = [island(view, { tap: (hex) => { wish.hex = hex; if (!imagined) wish.deed = null; redraw(); }, path: wish.hex ? [wish.hex] : [] })];
    if (takesLogs()) {
      const logs = oneOf([0, 1, 2].map((n) => ({ value: n, label: _("Logs: {n}", { n }), face: h("span", {}, alone(logSign()), h("b", { text: n })) })), (n) => (wish.logs = n));
      logs.press(wish.logs, false);
      nodes.push(h("div", { class: "taps gi-logs" }, logs.nodes));
    }
    if (imagined) nodes.push(selected(_("What it does there"), anyDeed(), wish.deed, (deed) => (wish.deed = deed)));
    else if (wish.what !== "worker" && wish.hex) nodes.push(...deeds());
    return nodes;
  }
  const anyDeed = () => [[null, _("Only stand there")], ...Object.entries(DEED_WORDS).map(([deed, words]) => [deed, words()]), ...Object.keys(view.state.board.ahus).map((ahu) => [`ahu ${ahu}`, _("Reserve ahu {ahu}", { ahu })])];
  function deeds() {
    const { board } = view.state;
    const deed = DEEDS[board.hexes[wish.hex].kind];
    const ahus = Object.keys(board.ahus).filter((id) => board.ahus[id].hex === wish.hex);
    const options = [{ value: null, label: _("Only stand there") }];
    if (deed) options.push({ value: deed, label: DEED_WORDS[deed]() });
    options.push(...ahus.map((ahu) => ({ value: `ahu ${ahu}`, label: _("Reserve ahu {ahu}", { ahu }) })));
    if (options.length === 1) return [];
    const chosen = oneOf(options, (value) => (wish.deed = value));
    chosen.press(wish.deed, false);
    return [h("div", { class: "choices" }, chosen.nodes)];
  }
  const redraw = () => keepScroll(place, draw);
  const placed = () => (imagined ? _("Ask") : _("{figure} on {hex}", { figure: figureName(wish.what), hex: wish.hex }));
  const nothingYet = imagined ? _("Tap a figure") : _("Tap what you do");
  draw();
  return h("div", { class: "chooser" }, h("div", { class: "taps gi-what" }, what.nodes), place, confirm);
}

// Draw anew and leave the map where it was scrolled to; at first it shows the hex the way begins on.
export function keepScroll(node, draw) {
  const left = node.querySelector(".gi-island")?.scrollLeft;
  draw();
  const map = node.querySelector(".gi-island");
  const first = map?.querySelector(".hex.on");
  if (!map) return;
  if (left !== undefined) map.scrollLeft = left;
  else if (first) map.scrollLeft = first.getBoundingClientRect().left - map.getBoundingClientRect().left - map.clientWidth / 2;
}

// --- carrying ---------------------------------------------------------------------------------------------------

const owner = ({ before, marker, keeper }) => before ?? marker ?? keeper ?? null;

export const ENDS = {
  none: () => _("Leave it there"),
  erect: (ahu) => _("Erect it on ahu {ahu}", { ahu }),
  crown: (ahu) => _("Crown the Moai on ahu {ahu}", { ahu }),
  mark: () => _("Put a marker on it"),
};

function carrying(view, act, ways) {
  const { state, seats, you } = view;
  const pieces = Object.entries(state.pieces).filter(([, piece]) => !piece.ahu && [null, you].includes(owner(piece)));
  const place = h("div", { class: "gi-steps" });
  const confirm = h("button", { type: "button", class: "main" });
  let asked = 0;
  const what = oneOf(
    [...pieces.map(([id, piece]) => pieceTap(id, piece, seats)), { value: "pass", label: _("pass"), face: said(_("pass")) }],
    (value) => (value === "pass" ? passing() : go({ do: "move", piece: value, path: [], helpers: [], then: null })),
  );
  function passing() {
    asked += 1;
    place.replaceChildren();
    finish(_("Pass for this phase"), { do: "pass" });
  }
  function finish(text, action) {
    confirm.disabled = !action;
    confirm.textContent = text;
    confirm.onclick = action ? () => act(action) : null;
  }
  // The rules say how it can go on from here.
  async function go(move) {
    asked += 1;
    const mine = asked;
    finish(_("Tap where it goes"), null);
    const known = await ways(move).catch(() => ({}));
    if (mine !== asked) return;
    if (!known.path) place.replaceChildren(h("p", { class: "hint", text: _("This piece cannot be touched now.") }));
    else keepScroll(place, () => place.replaceChildren(...steps({ ...move, path: known.path, helpers: known.helpers }, known)));
  }
  function steps(move, known) {
    const { path } = move;
    const start = state.pieces[move.piece].hex ?? quarryOf(state, state.pieces[move.piece].kind);
    const open = path.length ? known.next : Object.keys(known.reach);
    const map = island(view, { tap: (hex) => step(hex), open, path: [start, ...path] });
    function step(hex) {
      if (hex === path.at(-1)) go({ ...move, path: path.slice(0, -1), helpers: move.helpers.slice(0, -1) });
      else if (known.next.includes(hex)) go({ ...move, path: [...path, hex], helpers: [...move.helpers, []] });
      else if (known.reach[hex]) go({ ...move, path: known.reach[hex], helpers: known.reach[hex].map(() => []) });
    }
    const carriers = path.map((hex, i) => {
      const sets = known.sets[i];
      const select = h("select", { autocomplete: "off", "aria-label": _("Who carries onto {hex}", { hex }), onchange: () => (move.helpers[i] = sets[select.value]) }, sets.map((set, n) => h("option", { value: n, selected: JSON.stringify(set) === JSON.stringify(move.helpers[i]), text: helperWords(set, seats) })));
      return h("li", {}, h("b", { text: hex }), select);
    });
    if (known.ends.length) finish(_("Tap what happens there"), null);
    const ends = oneOf(known.ends.map(([then, ahu]) => ({ value: `${then ?? "none"} ${ahu ?? ""}`, label: ENDS[then ?? "none"](ahu) })), (value) => {
      const [then, ahu] = value.split(/ (.*)/);
      finish(ENDS[then](ahu), { ...move, then: then === "none" ? null : then, ...(ahu ? { ahu } : {}) });
    });
    return [
      h("p", { class: "hint", text: _("Tap where it goes, or the hexes one by one. Tap the last one to step back.") }),
      map,
      carriers.length ? h("ol", { class: "gi-carriers", "aria-label": _("Who carries") }, carriers) : null,
      known.ends.length ? h("div", { class: "choices" }, ends.nodes) : null,
    ].filter(Boolean);
  }
  finish(pieces.length ? _("Tap a piece") : _("Tap what you do"), null);
  return h("div", { class: "chooser" }, h("div", { class: "taps" }, what.nodes), place, confirm);
}
