// Tap one thing, then confirm: nothing that counts happens at the first touch.

import { h } from "../dom.js";
import { _ } from "../words.js";

// A grid of things to tap and a button that does what is chosen. options: [{face, label, action, text}]; `face` is what
// is drawn, `label` what is read aloud, `text` what the button says once it is chosen.
export function tapOne(options, act, kind = "") {
  let chosen = null;
  const confirm = h("button", { type: "button", class: "main", disabled: true, text: _("Tap one"), onclick: () => chosen && act(chosen.action) });
  const buttons = options.map((option) =>
    h("button", { type: "button", class: "tap", "aria-pressed": "false", "aria-label": option.label, onclick: () => tap(option) }, option.face),
  );
  function tap(option) {
    chosen = option;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(options[i] === option)));
    confirm.disabled = false;
    confirm.textContent = option.text;
  }
  return h("div", { class: "chooser" }, h("div", { class: `taps ${kind}` }, buttons), confirm);
}
