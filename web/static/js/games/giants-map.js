// The island: hexes with a corner up, their places, who and what stands there, and the ahus around it.

import { h } from "../dom.js";
import { _, list, ngettext } from "../words.js";

const RADIUS = 32;
const WIDTH = RADIUS * Math.sqrt(3);
const AXIAL = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];
const ROW = 8; // hexes in a row of an island that says not where they lie

const PLACES = {
  village: () => _("village"),
  hut: () => _("hut"),
  forest: () => _("forest"),
  moai_quarry: () => _("Moai quarry"),
  headdress_quarry: () => _("headdress quarry"),
};

const PLACE_SIGNS = {
  village: "M-13 0v-5l5-4 5 4v5zM3 0v-5l5-4 5 4v5zM-5 2v-6l5-5 5 5v6z",
  hut: "M-8 2v-6l8-7 8 7v6h-5v-5h-6v5z",
  forest: "M-7 3v-3h-6l5-6h-3l5-6 5 6h-3l5 6h-6v3zM6 3V0H2l4-5H4l4-5 4 5h-2l4 5H9v3z",
  moai_quarry: "M-13 2l6-10 5 4 4-7 11 13z",
  headdress_quarry: "M-10 2v-3l3-2v-5H7v5l3 2v3z",
};

const FIGURES = {
  worker: { name: () => _("worker"), shape: ["circle", { r: 6.5 }] },
  sorcerer: { name: () => _("medicine man"), shape: ["polygon", { points: "0,-8.5 8,6 -8,6" }] },
  chief: { name: () => _("chief"), shape: ["polygon", { points: "-7,-7 -3.5,-3.5 0,-8 3.5,-3.5 7,-7 7,7 -7,7" }] },
};

export const placeName = (kind) => PLACES[kind]();
export const figureName = (figure) => FIGURES[figure].name();

// A figure in its clan's colour and with its number.
export const figureSign = (seat, figure) => [
  h(`svg:${FIGURES[figure].shape[0]}`, { class: `figure clan-${seat}`, ...FIGURES[figure].shape[1] }),
  h("svg:text", { class: `on-${seat}`, y: figure === "sorcerer" ? 4.5 : 3.5, text: seat + 1 }),
];

export const pieceSign = ({ kind, size, marker = null }) => [
  kind === "moai" ? h("svg:rect", { class: "moai", x: -6, y: -8.5, width: 12, height: 17, rx: 3.5 }) : h("svg:path", { class: "headdress", d: "M-8 6V3l2.5-1.5V-6h11v7.5L8 3v3z" }),
  kind === "moai" ? h("svg:text", { class: "size", y: 3.5, text: size }) : null,
  Number.isInteger(marker) ? h("svg:circle", { class: `marker clan-${marker}`, cx: 6, cy: -7, r: 4 }) : null,
];

export const logSign = () => h("svg:rect", { class: "log", x: -10, y: -5, width: 20, height: 10, rx: 5 });

// A sign by itself, in running text.
export const alone = (sign, label) => h("svg:svg", { class: "gi-sign", viewBox: "-11 -11 22 22", role: label ? "img" : null, "aria-label": label, "aria-hidden": label ? null : "true" }, sign);

// The quarry that a piece of this kind comes from.
export const quarryOf = ({ board }, kind) => Object.keys(board.hexes).find((id) => board.hexes[id].kind === `${kind}_quarry`);

const at = ([q, r]) => [WIDTH * (q + r / 2), RADIUS * 1.5 * r];

function places({ hexes }) {
  return Object.fromEntries(Object.entries(hexes).map(([id, hex], i) => [id, hex.at ?? [(i % ROW) - Math.floor(Math.floor(i / ROW) / 2), Math.floor(i / ROW)]]));
}

const move = ([x, y]) => `translate(${x.toFixed(1)} ${y.toFixed(1)})`;

// The n-th of so many ahus of a hex: on its side towards the sea, clockwise.
function onShore([q, r], taken, n, count) {
  const sea = AXIAL.filter(([dq, dr]) => !taken.has(String([q + dq, r + dr]))).map(at);
  const [dx, dy] = [0, 1].map((axis) => sea.reduce((sum, way) => sum + way[axis], 0));
  const angle = Math.atan2(dy, dx) + (n - (count - 1) / 2) * (Math.PI / 3.8);
  const [x, y] = at([q, r]);
  return [x + (RADIUS + 9) * Math.cos(angle), y + (RADIUS + 9) * Math.sin(angle)];
}

const CORNERS = Array.from({ length: 6 }, (_none, i) => {
  const angle = (Math.PI / 3) * i + Math.PI / 6;
  return `${(RADIUS * Math.cos(angle)).toFixed(1)},${(RADIUS * Math.sin(angle)).toFixed(1)}`;
}).join(" ");

// The map of a view. tap(hex): hexes are buttons, those in `open` stand out; path: hexes to be drawn through.
export function island(view, { tap = null, open = [], path = [] } = {}) {
  const { board } = view.state;
  const grid = places(board);
  const taken = new Set(Object.values(grid).map(String));
  const hexes = Object.keys(board.hexes).map((id) => hexOf(view, id, at(grid[id]), tap, open, path));
  const ahus = Object.entries(board.ahus).map(([id, ahu]) => {
    const beside = Object.keys(board.ahus).filter((other) => board.ahus[other].hex === ahu.hex);
    return ahuOf(view, id, ahu, onShore(grid[ahu.hex], taken, beside.indexOf(id), beside.length));
  });
  const points = Object.values(grid).map(at);
  const [left, top] = [0, 1].map((axis) => Math.min(...points.map((point) => point[axis])) - RADIUS * 1.75);
  const [right, bottom] = [0, 1].map((axis) => Math.max(...points.map((point) => point[axis])) + RADIUS * 1.75);
  const way = path.length > 1 ? h("svg:polyline", { class: "way", points: path.map((id) => at(grid[id]).map((n) => n.toFixed(1)).join(",")).join(" ") }) : null;
  const box = [left, top, right - left, bottom - top].map((n) => Math.round(n));
  return h("div", { class: "gi-island", tabindex: tap ? null : 0, role: "group", "aria-label": _("The island") }, h("svg:svg", { viewBox: box.join(" "), style: `min-width: ${box[2]}px` }, hexes, ahus, way));
}

function hexOf({ state, seats }, id, place, tap, open, path) {
  const { kind } = state.board.hexes[id];
  const things = [
    ...Object.values(state.pieces).filter((piece) => piece.hex === id).map((piece) => ({ sign: pieceSign(piece), words: pieceWords(piece, seats) })),
    ...(state.figures[id] ?? []).filter((one) => one !== "log").map(([seat, figure]) => ({ sign: figureSign(seat, figure), words: `${seats[seat].name}: ${figureName(figure)}` })),
  ];
  const logs = (state.figures[id] ?? []).filter((one) => one === "log").length;
  if (logs) things.push({ sign: [h("svg:rect", { class: "log", x: -9, y: -4.5, width: 18, height: 9, rx: 4.5 }), h("svg:text", { class: "size", y: 3.5, text: logs })], words: ngettext("one log", "{n} logs", logs) });
  const felled = state.felled.includes(id);
  const trees = kind === "forest" && !felled ? state.board.hexes[id].logs : 0;
  const words = [id, kind ? (felled ? _("felled forest") : placeName(kind)) : null, trees ? ngettext("one log", "{n} logs", trees) : null, ...things.map((thing) => thing.words)].filter(Boolean);
  const step = path.indexOf(id);
  const press = tap && { role: "button", tabindex: 0, onclick: () => tap(id), onkeydown: (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), tap(id)) };
  return h(
    "svg:g",
    { class: `hex ${felled ? "felled" : (kind ?? "")} ${open.includes(id) ? "open" : ""} ${step >= 0 ? "on" : ""}`, transform: move(place), "aria-label": words.join(", "), ...(press ?? { role: "img" }) },
    h("svg:polygon", { points: CORNERS }),
    kind ? h("svg:path", { class: "place", d: PLACE_SIGNS[kind], transform: `translate(${trees ? -4 : 0} -12)` }) : null,
    trees ? h("svg:text", { class: "trees", x: 15, y: -12, text: trees }) : null,
    h("svg:text", { class: "id", y: 27, text: id }),
    things.map(({ sign }, i) => h("svg:g", { transform: move(spot(i, things.length, Boolean(kind))) }, sign)),
  );
}

// Up to three in a row, the rows close together where there are many.
function spot(i, count, below) {
  const inRow = Math.min(3, count - Math.floor(i / 3) * 3);
  const rows = Math.ceil(count / 3);
  const top = (below ? 5 : 0) - (below ? 0 : (rows - 1) * 7);
  return [((i % 3) - (inRow - 1) / 2) * 16, top + Math.floor(i / 3) * (rows > 2 ? 10 : 15)];
}

function ahuOf({ state, seats }, id, { moai, headdress }, place) {
  const site = state.ahus[id];
  const stands = site.moai === null ? null : Number.isInteger(site.moai) ? site.moai : state.pieces[site.moai]?.size;
  const reserved = Number.isInteger(site.reserved);
  const owner = Number.isInteger(site.base) ? site.base : null;
  const words = [
    _("Ahu {ahu}", { ahu: id }),
    _("a Moai counts {n} times its size, its headdress {m}", { n: moai, m: headdress }),
    stands ? _("a Moai of size {n} stands there", { n: stands }) : null,
    site.headdress ? _("crowned") : null,
    reserved ? _("reserved by {name}", { name: seats[site.reserved].name }) : null,
    owner === null ? null : seats[owner].name,
  ].filter(Boolean);
  return h(
    "svg:g",
    { class: "ahu", transform: move(place), role: "img", "aria-label": words.join(", ") },
    h("svg:circle", { class: `base ${reserved ? `reserved clan-${site.reserved}` : owner === null ? "" : `clan-${owner}`}`, r: 12.5 }),
    stands
      ? h("svg:g", {}, pieceSign({ kind: "moai", size: stands }), site.headdress ? h("svg:path", { class: "headdress", d: "M-6-7v-2l1.5-1v-3h9v3l1.5 1v2z" }) : null)
      : [h("svg:text", { class: `letter ${reserved ? `on-${site.reserved}` : ""}`, y: -0.5, text: id }), h("svg:text", { class: `values ${reserved ? `on-${site.reserved}` : ""}`, y: 8.5, text: `${moai}·${headdress}` })],
  );
}

// A piece as people call it: "Moai of size 2, before Hedwig".
export function pieceWords({ kind, size, hex, before, marker, keeper }, seats) {
  const name = kind === "moai" ? _("Moai of size {n}", { n: size }) : _("headdress");
  const where = Number.isInteger(before) ? _("before {name}", { name: seats[before].name }) : hex ? _("on {hex}", { hex }) : null;
  const whose = Number.isInteger(marker) ? _("marked by {name}", { name: seats[marker].name }) : Number.isInteger(keeper) && !Number.isInteger(before) ? _("in the care of {name}", { name: seats[keeper].name }) : null;
  return [name, where, whose].filter(Boolean).join(", ");
}

// Who carries, in words.
export function helperWords(helpers, seats) {
  const each = helpers.map((one) => (one === "log" ? _("log") : `${seats[one[0]].name}: ${figureName(one[1])}`));
  return list([...new Set(each)].map((words) => [words, each.filter((other) => other === words).length]).map(([words, n]) => (n > 1 ? `${words} ×${n}` : words)));
}
