// What was laid on a Fiji table, entered by hand: four conditions with their effects, or four goals.

import { bead, COLOURS, colourName } from "../beads.js";
import { h } from "../dom.js";
import { _ } from "../words.js";
import { EFFECTS, effectWords } from "./fiji.js";

const LINES = [1, 2, 3, 4];

export const entryTitles = {
  lay_conditions: () => _("Which conditions were laid?"),
  lay_goals: () => _("Which goals were laid?"),
};

export const entries = { lay_conditions: conditions, lay_goals: goals };

// A button that flips between most and fewest; `read()` tells which.
function direction(number) {
  let wins = "most";
  const button = h("button", { type: "button", class: "flip", onclick: () => show(wins === "most" ? "fewest" : "most") });
  function show(next) {
    wins = next;
    button.textContent = wins === "most" ? _("most") : _("fewest");
    button.className = `flip wins ${wins}`;
    button.setAttribute("aria-label", `${_("Row {n}", { n: number })}: ${button.textContent}`);
  }
  show("most");
  return { node: button, read: () => wins };
}

// Beads to tap; several may be chosen unless `single`.
function colours(number, single, changed) {
  const chosen = new Set();
  const buttons = COLOURS.map((colour) =>
    h(
      "button",
      { type: "button", class: "pick", "aria-pressed": "false", "aria-label": `${_("Row {n}", { n: number })}: ${colourName(colour)}`, onclick: () => toggle(colour) },
      bead(colour, "m"),
    ),
  );
  function toggle(colour) {
    const had = chosen.has(colour);
    if (single) chosen.clear();
    if (had) chosen.delete(colour);
    else chosen.add(colour);
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(chosen.has(COLOURS[i]))));
    changed();
  }
  return { node: h("span", { class: "picks" }, buttons), read: () => COLOURS.filter((c) => chosen.has(c)) };
}

const ALL_EFFECTS = Object.entries(EFFECTS).flatMap(([kind, words]) =>
  typeof words === "function" ? [{ kind }] : COLOURS.map((colour) => ({ kind, colour })),
);

function effect(number, changed) {
  const select = h(
    "select",
    { autocomplete: "off", "aria-label": `${_("Row {n}", { n: number })}: ${_("effect")}`, onchange: changed },
    h("option", { value: "", text: _("effect …") }),
    ALL_EFFECTS.map((each, i) => h("option", { value: i, text: effectWords(each) })),
  );
  return { node: select, read: () => ALL_EFFECTS[select.value] ?? null };
}

function conditions(act) {
  const lines = LINES.map((number) => ({ wins: direction(number), colours: colours(number, false, check), effect: effect(number, check) }));
  const rows = () =>
    lines.map((line) => ({ condition: { colours: line.colours.read(), wins: line.wins.read() }, effect: line.effect.read() }));
  const done = h("button", { type: "button", class: "main", disabled: true, text: _("That is how they lie"), onclick: () => act({ do: "lay_conditions", rows: rows() }) });
  function check() {
    done.disabled = rows().some((row) => !row.condition.colours.length || !row.effect);
  }
  return h("div", { class: "entry" }, h("ol", {}, lines.map((line) => h("li", {}, line.wins.node, line.colours.node, line.effect.node))), done);
}

function goals(act) {
  const lines = LINES.map((number) => ({ wins: direction(number), colours: colours(number, true, check) }));
  const list = () => lines.map((line) => ({ colour: line.colours.read()[0], wins: line.wins.read() }));
  const done = h("button", { type: "button", class: "main", disabled: true, text: _("That is how they lie"), onclick: () => act({ do: "lay_goals", goals: list() }) });
  function check() {
    const found = list().map((goal) => goal.colour);
    done.disabled = found.includes(undefined) || new Set(found).size < LINES.length;
  }
  return h("div", { class: "entry" }, h("p", { class: "hint", text: _("The most important goal first.") }), h("ol", {}, lines.map((line) => h("li", {}, line.wins.node, line.colours.node))), done);
}
