// How a Fiji table looks on a page: the four rows, the goals, the supply, and what may be chosen.

import { bagBeads, bagCounts, bagWords, bead, COLOURS, colourName } from "../beads.js";
import { h } from "../dom.js";
import { _ } from "../words.js";

// How many beads a secret deed takes; the rules have the last word.
export const LIMITS = { bid: [1, 4], set_aside: [4, 4] };

export const TITLES = {
  bid: () => _("Your bid"),
  set_aside: () => _("Four beads out of this round"),
};

const INVITATIONS = {
  bid: () => _("Choose 1 to 4 of your beads. They count in all four rows."),
  set_aside: () => _("Choose exactly 4 beads. They take no part in this round."),
};

export const invitation = (deed) => INVITATIONS[deed]?.() ?? "";

export const opened = () => _("The bids");

export const points = (n) => ({ count: n, label: _("Heads: {n}", { n }), sign: head() });

function head() {
  return h(
    "svg:svg",
    { class: "head", viewBox: "0 0 20 20", "aria-hidden": "true" },
    h("svg:path", { d: "M10 1.5c4.4 0 6.6 3 6.4 7-.2 3.6-1.6 5-2.2 7.2-.5 1.9-2 3-4.2 3s-3.7-1.1-4.2-3C5.2 13.5 3.8 12.1 3.6 8.5c-.2-4 2-7 6.4-7z" }),
    h("svg:path", { class: "cut", d: "M6.2 8.8l2.6 1M13.8 8.8l-2.6 1M7.2 14h5.6M8.3 13v2M10 13v2M11.7 13v2" }),
  );
}

export function conditionWords({ colours, wins }) {
  if (colours.length === COLOURS.length) return wins === "most" ? _("Most beads") : _("Fewest beads");
  const names = COLOURS.filter((c) => colours.includes(c)).map(colourName).join(" + ");
  return wins === "most" ? _("Most {colours}", { colours: names }) : _("Fewest {colours}", { colours: names });
}

export const EFFECTS = {
  gain: {
    green: () => _("take 4 green"),
    red: () => _("take 3 red"),
    yellow: () => _("take 2 yellow"),
    blue: () => _("take 1 blue"),
  },
  one_of_each: () => _("take one of each"),
  half: {
    green: () => _("take half the green"),
    red: () => _("take half the red"),
    yellow: () => _("take half the yellow"),
    blue: () => _("take half the blue"),
  },
  others_gain: {
    green: () => _("all others take 1 green"),
    red: () => _("all others take 1 red"),
    yellow: () => _("all others take 1 yellow"),
    blue: () => _("all others take 1 blue"),
  },
  keep_bid: () => _("keep the bid"),
  rotate_goal: () => _("turn a goal"),
  swap_goals: () => _("swap two goals"),
};

export function effectWords({ kind, colour }) {
  const words = EFFECTS[kind];
  return typeof words === "function" ? words() : words[colour]();
}

const GAINS = { green: 4, red: 3, yellow: 2, blue: 1 };

const ICONS = {
  keep_bid: "M7 11V8a5 5 0 0 1 10 0v3M5 11h14v9H5zM12 14.5v2.5",
  rotate_goal: "M4.5 12a7.5 7.5 0 0 1 13-5M17.5 3v4.200h-4.200M19.5 12a7.5 7.5 0 0 1-13 5M6.5 21v-4.200h4.200",
  swap_goals: "M4 8h15M15 4l4 4-4 4M20 16H5M9 12l-4 4 4 4",
};

function effectSign({ kind, colour }) {
  if (kind === "gain") return Array.from({ length: GAINS[colour] }, () => bead(colour, "s"));
  if (kind === "one_of_each") return COLOURS.map((c) => bead(c, "s"));
  if (kind === "half") return [sign("½"), bead(colour, "s")];
  if (kind === "others_gain") return [sign("+1"), bead(colour, "s")];
  return h("svg:svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("svg:path", { d: ICONS[kind] }));
}

const sign = (text) => h("span", { class: "sign", "aria-hidden": "true", text });

const wins = (direction) => h("span", { class: `wins ${direction}`, "aria-hidden": "true", text: direction === "most" ? "▲" : "▼" });

// The four rows, each a condition and its effect.
export function rows(list) {
  return h(
    "ol",
    { class: "rows" },
    list.map(({ condition, effect }) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: "condition" },
          h("span", { class: "signs" }, wins(condition.wins), COLOURS.filter((c) => condition.colours.includes(c)).map((c) => bead(c, "s"))),
          h("span", { class: "words", text: conditionWords(condition) }),
        ),
        h(
          "span",
          { class: "effect" },
          h("span", { class: "signs" }, effectSign(effect)),
          h("span", { class: "words", text: effectWords(effect) }),
        ),
      ),
    ),
  );
}

// The rows and goals in signs alone, to glance at while choosing a bid.
export function reminder({ rows: list, goals: aims }) {
  return h(
    "div",
    { class: "reminder", "aria-hidden": "true" },
    list.map(({ condition, effect }) =>
      h(
        "p",
        {},
        h("span", { class: "signs" }, wins(condition.wins), COLOURS.filter((c) => condition.colours.includes(c)).map((c) => bead(c, "s"))),
        h("span", { class: "signs" }, "→", effectSign(effect)),
      ),
    ),
    h("p", { class: "aims" }, aims.map((goal) => h("span", { class: "signs" }, wins(goal.wins), bead(goal.colour, "s")))),
  );
}

export const goalWords = ({ colour, wins: direction }) =>
  direction === "most" ? _("Most {colours}", { colours: colourName(colour) }) : _("Fewest {colours}", { colours: colourName(colour) });

const goalFace = (goal, position) => [
  h("span", { class: "rank", "aria-hidden": "true", text: position }),
  bead(goal.colour, "m"),
  wins(goal.wins),
  h("span", { class: "words", text: goalWords(goal) }),
];

// The goals, the most important first.
export function goals(list) {
  return h("ol", { class: "goals" }, list.map((goal, i) => h("li", { class: goal.wins }, goalFace(goal, i + 1))));
}

export const supply = (bag) => bagCounts(bag, "m");

export const hand = (bag) => [h("h2", { text: _("Your beads") }), bagCounts(bag, "m")];

// What a seat alone may see, while a finger holds the button; null when there is nothing.
export const ownSecret = (view) => view.state?.hands?.[view.you] ?? null;

export const secretBeads = (args) => bagBeads(args.beads ?? {}, "m");

export const secretWords = (args) => bagWords(args.beads ?? {});

// What a choice is made from: it is drawn anew when this changes.
export const choosingFrom = (view) => view.state.goals ?? null;

// Choices made by tapping goals: one to turn, two to swap. Returns null when the choices are of another kind.
export function chooser(view, choices, act) {
  const turns = choices.filter(({ action }) => action.do === "rotate_goal");
  const swaps = choices.filter(({ action }) => action.do === "swap_goals");
  const list = turns.length ? turns : swaps;
  if (!list.length || list.length !== choices.length || !view.state.goals?.length) return null;
  const wanted = turns.length ? 1 : 2;
  const chosen = [];
  const find = () =>
    list.find(({ action }) => (turns.length ? action.position === chosen[0] : [...action.positions].sort().join() === [...chosen].sort().join()));
  const confirm = h("button", { type: "button", class: "main", disabled: true, onclick: () => find() && act(find().action) });
  const buttons = view.state.goals.map((goal, i) =>
    h("button", { type: "button", class: `goal ${goal.wins}`, "aria-pressed": "false", onclick: () => tap(i + 1) }, goalFace(goal, i + 1)),
  );
  function tap(position) {
    if (chosen.includes(position)) chosen.splice(chosen.indexOf(position), 1);
    else chosen.push(position);
    while (chosen.length > wanted) chosen.shift();
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(chosen.includes(i + 1))));
    confirm.disabled = !find();
    confirm.textContent = find()?.text ?? rest();
  }
  const rest = () => (turns.length ? _("Tap the goal to turn") : _("Tap the two goals to swap"));
  confirm.textContent = rest();
  return h("div", { class: "chooser" }, h("div", { class: "goals" }, buttons), confirm);
}
