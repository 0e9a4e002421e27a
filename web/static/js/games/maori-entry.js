// What was laid on a Maori table, entered by hand: the display with the ship, or the tile that fills the gap.

import { h } from "../dom.js";
import { attempt, look } from "../sheets.js";
import { _, ngettext } from "../words.js";
import { fieldWords, ringOf } from "./maori.js";
import { shapeOf, tile, tileWords } from "./maori-tiles.js";

export const entryTitles = {
  lay_display: () => _("Which tiles were laid?"),
  refill: () => _("Which tile fills the gap?"),
};

export const entries = { lay_display: layDisplay, refill };

const SHAPES = ["single", "N", "E", "S", "W", "NS", "EW", "water", "volcano"];

// A form that needs to know which tiles there are: it comes as soon as the table has said so.
function withTiles(draw) {
  const form = h("div", { class: "entry" });
  attempt(null, async () => form.append(...draw(await look("/components.json"))));
  return form;
}

// Tiles by their shape, then by what they show; equal ones stand for each other. taken(): ids that lie already.
function picker({ tiles, unseen }, taken, put) {
  const ids = [...unseen, ...Object.keys(tiles).filter((id) => !unseen.includes(id))];
  const shapes = [...new Set([...SHAPES, ...ids.map((id) => shapeOf(tiles[id]))])].filter((shape) => ids.some((id) => shapeOf(tiles[id]) === shape));
  const found = h("div", { class: "taps ma-found" });
  const bare = (shape) => ({ volcano: { volcano: true }, water: {}, single: { palms: 0, huts: 0, open: "" } })[shape] ?? { open: shape };
  const label = (shape) => ({ single: _("single island") })[shape] ?? tileWords(bare(shape));
  const buttons = shapes.map((shape) =>
    h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": label(shape), onclick: () => show(shape) }, shape === "single" ? tile({ palms: 1 }) : tile(bare(shape))),
  );
  function show(shape) {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(shapes[i] === shape)));
    const free = ids.filter((id) => shapeOf(tiles[id]) === shape && !taken().includes(id));
    const unlike = free.filter((id, i) => free.findIndex((other) => tileWords(tiles[other]) === tileWords(tiles[id])) === i);
    found.replaceChildren(...unlike.map((id) => h("button", { type: "button", class: "tap", "aria-label": tileWords(tiles[id]), onclick: () => choose(id) }, tile(tiles[id]))));
  }
  function choose(id) {
    buttons.forEach((button) => button.setAttribute("aria-pressed", "false"));
    found.replaceChildren();
    put(id);
  }
  return h("div", { class: "ma-picker" }, h("div", { class: "taps ma-shapes" }, buttons), found);
}

function layDisplay(act) {
  return withTiles((known) => {
    const laid = Array(16).fill(null);
    let ship = null;
    let next = 0;
    const drawn = h("div");
    const says = h("p", { class: "hint" });
    const confirm = h("button", { type: "button", class: "main", onclick: () => act({ do: "lay_display", tiles: [0, 4, 8, 12].map((i) => laid.slice(i, i + 4)), ship }) });
    const pick = picker(known, () => laid, (id) => {
      laid[next] = id;
      const free = laid.indexOf(null, next);
      next = free === -1 ? laid.indexOf(null) : free;
      show();
    });
    function show() {
      const full = next === -1;
      const ring = ringOf({ display: null, ship: null, tiles: known.tiles }, (position, style) =>
        h("button", { type: "button", class: "ma-spot", style, "aria-pressed": String(position === ship), "aria-label": _("Ship at {n}", { n: position + 1 }), onclick: () => { ship = position; show(); } }));
      ring.querySelectorAll(".ma-cell").forEach((cell, i) => {
        const words = fieldWords(Math.floor(i / 4), i % 4, laid[i] ? tileWords(known.tiles[laid[i]]) : _("empty"));
        cell.replaceWith(h("button", { type: "button", class: "ma-cell", style: cell.getAttribute("style"), "aria-pressed": String(i === next), "aria-label": words, onclick: () => { next = i; show(); } }, laid[i] ? tile(known.tiles[laid[i]]) : null));
      });
      drawn.replaceChildren(ring);
      pick.hidden = full;
      const missing = laid.filter((id) => id === null).length;
      says.textContent = full ? _("Tap where the ship stands. A tile can be tapped to change it.") : _("Row by row from the far edge: first the shape, then the tile.");
      confirm.disabled = missing > 0 || ship === null;
      confirm.textContent = missing ? ngettext("One more tile", "{n} more tiles", missing) : ship === null ? _("Where is the ship?") : _("That is how they lie");
    }
    show();
    return [says, drawn, pick, confirm];
  });
}

function refill(act, view) {
  const { pile, step } = view.state;
  if (step === "refill" && !pile) return h("div", { class: "entry" }, h("p", { text: _("The pile is empty: the gap stays.") }), h("button", { type: "button", class: "main", text: _("Go on"), onclick: () => act({ do: "refill" }) }));
  return withTiles((known) => {
    let chosen = null;
    const face = h("div", { class: "ma-chosen" });
    const confirm = h("button", { type: "button", class: "main", disabled: true, text: ngettext("One more tile", "{n} more tiles", 1), onclick: () => act({ do: "refill", tile: chosen }) });
    const pick = picker(known, () => Object.keys(view.state.tiles), (id) => {
      chosen = id;
      face.replaceChildren(tile(known.tiles[id]), h("span", { text: tileWords(known.tiles[id]) }));
      confirm.disabled = false;
      confirm.textContent = _("That is how it lies");
    });
    return [h("p", { class: "hint", text: _("First the shape, then the tile.") }), pick, face, confirm];
  });
}
