// Maori's tiles, drawn from what they show: land that goes on at open sides, palms, huts, boats, shells, half wreaths.

import { h } from "../dom.js";
import { _, list, ngettext } from "../words.js";

const ARMS = { N: [11, 0, 18, 20], E: [20, 11, 20, 18], S: [11, 20, 18, 20], W: [0, 11, 20, 18] };
const WREATHS = { N: [20, 0], E: [40, 20], S: [20, 40], W: [0, 20] };
const PALMS = [[], [[20, 17]], [[15, 17], [25, 17]], [[13, 20], [20, 13], [27, 20]]];
const CORNERS = [[6.5, 34], [33.5, 34], [33.5, 6.5], [6.5, 6.5]]; // boats from below, shells from above

const isLand = ({ open, palms, huts, volcano }) => Boolean(open || palms || huts) && !volcano;

// What kind of tile it is, to look it up by: "N", "EW" (open sides), "single", "water" or "volcano".
export const shapeOf = (one) => (one.volcano ? "volcano" : one.open || (isLand(one) ? "single" : "water"));

const palm = ([x, y]) => h("svg:path", { class: "palm", transform: `translate(${x} ${y})`, d: "M-.7 7-.4 0C-3-1.7-5-.8-6 1c0-3.3 2.5-5 5.2-3.6C-1.5-4.5-3.5-5-5-4.6c2-2 5-1.4 5.6 1C2-5.7 4.5-5.5 5.5-4 3.5-4.3 2.2-3.5 1.5-2.4 4-2.8 6-1 5.8 1.6 4.5-.2 2.8-.8.8.2L1.5 7z" });
const hut = ([x, y]) => h("svg:path", { class: "hut", transform: `translate(${x} ${y})`, d: "M0-5.5 6.5 0H4.5v5h-3V1.5h-3V5h-3V0h-2z" });
const boat = ([x, y]) => h("svg:path", { class: "boat", transform: `translate(${x} ${y})`, d: "M-5.5 1.5h11L3.5 5h-7zM-.6-5.5V.5H-4zM.6-5.5C3-4 4-2 4 .5H.6z" });
const shell = ([x, y]) => h("svg:path", { class: "shell", transform: `translate(${x} ${y})`, d: "M0 5-5.2-.5C-5-4-2.8-5.2 0-5.2S5-4 5.2-.5zM-.3 3-2.5-3.5M.3 3l2.2-6.5M0 3v-7" });

export const shellSign = () => h("svg:svg", { class: "ma-tile", viewBox: "-6 -6 12 12", "aria-hidden": "true" }, shell([0, 0]));

export function tile(one, { printed = false, finished = false } = {}) {
  const open = [...(one.open ?? "")];
  const land = isLand({ open: "", palms: 0, huts: 0, ...one });
  const palms = Math.min(one.palms ?? 0, 3);
  const corners = [...CORNERS];
  return h(
    "svg:svg",
    { class: `ma-tile ${printed ? "printed" : ""} ${finished ? "finished" : ""}`, viewBox: "0 0 40 40", "aria-hidden": "true" },
    h("svg:rect", { class: "water", width: 40, height: 40, rx: 3 }),
    land ? [h("svg:circle", { class: "land", cx: 20, cy: 20, r: 13 }), open.map((side) => h("svg:rect", { class: "land", ...box(ARMS[side]) }))] : null,
    one.volcano ? [h("svg:path", { class: "rock", d: "M4 36 15 11l3 3 4-4 3 2 11 24z" }), h("svg:path", { class: "fire", d: "M15 11l3 3 4-4 3 2 2 5-4-1-2 6-3-5-4 3z" })] : null,
    one.wreath ? h("svg:circle", { class: "wreath", cx: WREATHS[one.wreath][0], cy: WREATHS[one.wreath][1], r: 7.5 }) : null,
    one.huts ? hut(palms ? [20, 28] : [20, 21]) : null,
    PALMS[palms].map(([x, y]) => palm([x, one.huts ? y - 2 : y + 2])),
    Array.from({ length: Math.min(one.boats ?? 0, 2) }, () => boat(corners.shift())),
    Array.from({ length: Math.min(one.shells ?? 0, 2) }, () => shell(corners.pop())),
  );
}

const box = ([x, y, width, height]) => ({ x, y, width, height });

const SIDES = { N: () => _("north"), E: () => _("east"), S: () => _("south"), W: () => _("west") };

// A tile in words: "land to the north, 2 palms, 1 boat".
export function tileWords(one) {
  if (one.volcano) return _("volcano");
  const words = [];
  if (one.open) words.push(_("land to the {sides}", { sides: list([...one.open].map((side) => SIDES[side]())) }));
  else words.push(isLand(one) ? _("single island") : _("water"));
  if (one.palms) words.push(ngettext("one palm", "{n} palms", one.palms));
  if (one.huts) words.push(ngettext("one hut", "{n} huts", one.huts));
  if (one.boats) words.push(ngettext("one boat", "{n} boats", one.boats));
  if (one.shells) words.push(ngettext("one shell", "{n} shells", one.shells));
  if (one.wreath) words.push(_("half a wreath in the {side}", { side: SIDES[one.wreath]() }));
  return words.join(", ");
}
