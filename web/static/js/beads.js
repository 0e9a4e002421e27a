// Beads as glass circles: colour, shape and letter say the same, so that nobody needs to tell colours apart.

import { h } from "./dom.js";
import { _, lang, ngettext } from "./words.js";

export const COLOURS = ["green", "red", "yellow", "blue"];

const LETTERS = {
  en: { green: "G", red: "R", yellow: "Y", blue: "B" },
  de: { green: "Gn", red: "R", yellow: "Ge", blue: "B" },
  nl: { green: "Gn", red: "R", yellow: "Ge", blue: "B" },
};

// The shapes are those of the house deck's cards.
const SHAPES = {
  green: ["polygon", { points: "20,6 34.5,30 5.5,30" }],
  red: ["polygon", { points: "20,5 35,20 20,35 5,20" }],
  yellow: ["rect", { x: 8.5, y: 8.5, width: 23, height: 23 }],
  blue: ["circle", { cx: 20, cy: 20, r: 13 }],
};

export function colourName(colour) {
  return { green: _("green"), red: _("red"), yellow: _("yellow"), blue: _("blue") }[colour] ?? colour;
}

// One bead; `size` is "s" (shape only), "m" or "l". Decoration: the words stand beside it or in a label.
export function bead(colour, size = "m") {
  const [shape, properties] = SHAPES[colour];
  const letter = LETTERS[lang]?.[colour] ?? LETTERS.en[colour];
  return h(
    "span",
    { class: `bead ${colour} ${size}`, "aria-hidden": "true" },
    h(
      "svg:svg",
      { viewBox: "0 0 40 40" },
      h(`svg:${shape}`, { class: "shape", ...properties }),
      size === "s" ? null : h("svg:text", { x: 20, y: colour === "green" ? 27.5 : 25.5, class: letter.length > 1 ? "two" : "one", text: letter }),
    ),
  );
}

// A bag as words: "1 green, 2 red".
export function bagWords(bag) {
  const parts = COLOURS.filter((c) => bag[c]).map((c) => `${bag[c]} ${colourName(c)}`);
  return parts.length ? parts.join(", ") : _("nothing");
}

// A bag as beads side by side, each one shown.
export function bagBeads(bag, size = "m") {
  const beads = COLOURS.flatMap((c) => Array.from({ length: bag[c] ?? 0 }, () => bead(c, size)));
  return h("span", { class: "bag", role: "img", "aria-label": bagWords(bag) }, beads);
}

// A bag as one bead per colour with its number.
export function bagCounts(bag, size = "m") {
  return h(
    "ul",
    { class: "counts" },
    COLOURS.map((c) =>
      h(
        "li",
        { "aria-label": ngettext("{n} {colour} bead", "{n} {colour} beads", bag[c] ?? 0, { colour: colourName(c) }) },
        bead(c, size),
        h("b", { text: bag[c] ?? 0, "aria-hidden": "true" }),
      ),
    ),
  );
}

export const total = (bag) => COLOURS.reduce((sum, c) => sum + (bag[c] ?? 0), 0);
