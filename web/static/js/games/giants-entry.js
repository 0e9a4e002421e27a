// What was rolled on a Giants table, entered by hand: one die for each player.

import { h } from "../dom.js";
import { _ } from "../words.js";

const FACES = [0, 1, 2, 3];

export const entryTitles = { roll: () => _("What do the dice show?") };

export const entries = { roll };

const words = (face) => (face ? _("size {n}", { n: face }) : _("broken"));

function roll(act, view) {
  const dice = view.seats.map(() => null);
  const confirm = h("button", { type: "button", class: "main", disabled: true, text: _("That is what they show"), onclick: () => act({ do: "roll", dice }) });
  const rows = dice.map((_none, i) => {
    const name = _("Die {n}", { n: i + 1 });
    const buttons = FACES.map((face) => h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": `${name}: ${words(face)}`, onclick: () => tap(face) }, face ? h("b", { text: face }) : h("small", { text: _("broken") })));
    function tap(face) {
      dice[i] = face;
      buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(FACES[at] === face)));
      confirm.disabled = dice.includes(null);
    }
    return h("li", { class: "gi-die" }, h("span", { class: "rank", "aria-hidden": "true", text: i + 1 }), h("div", { class: "taps four" }, buttons));
  });
  return h("div", { class: "entry" }, h("p", { class: "hint", text: _("One die for each player.") }), h("ol", {}, rows), confirm);
}
