// A bid in Giants: markers in one hand, figures in the other, chosen behind the screen and sealed.

import { h } from "../dom.js";
import { Picker } from "../picker.js";
import { _ } from "../words.js";

// What stands behind a screen, as records name it.
export const STOCK = {
  markers: () => _("Markers"),
  workers: () => _("Workers"),
  sorcerer: () => _("Medicine man"),
  chief: () => _("Chief"),
  logs: () => _("Logs"),
  bases: () => _("Bases"),
};

const ANY = { markers: 20, workers: 20, sorcerer: 1, chief: 1 }; // when asking in general, without a hand

const HANDS = ["markers", "workers", "sorcerer", "chief"];

export const sealedArgs = (chosen) => Object.fromEntries(HANDS.map((name) => [name, chosen[name] ?? 0]));

// A bid in words: "Markers 2, Workers 1".
export const handsOf = (bid) => HANDS.filter((name) => bid[name]).map((name) => `${STOCK[name]()} ${bid[name]}`).join(", ") || _("nothing");

export class BidPicker extends Picker {
  choosing(notice = "") {
    this.next = h("button", { type: "button", class: "main", text: this.hand ? _("Review") : this.confirm, onclick: () => (this.hand ? this.reviewing() : this.finish()) });
    this.dialog.replaceChildren(
      h("h2", { text: this.title }),
      h("p", { class: notice ? "notice" : "hint", text: notice || this.invitation, role: notice ? "alert" : null }),
      h("ul", { class: "gi-bid" }, HANDS.map((name) => this.line(name))),
      h("div", { class: "actions" }, h("button", { type: "button", text: _("Cancel"), onclick: () => this.close() }), this.next),
    );
  }

  line(name) {
    const words = STOCK[name]();
    const count = h("output", { class: "ma-steps" });
    const less = h("button", { type: "button", "aria-label": _("{what}: one less", { what: words }), text: "−", onclick: () => change(-1) });
    const more = h("button", { type: "button", "aria-label": _("{what}: one more", { what: words }), text: "+", onclick: () => change(1) });
    const change = (by) => {
      navigator.vibrate?.(12); // the same for everything
      this.bag[name] = (this.bag[name] ?? 0) + by;
      show();
    };
    const show = () => {
      const n = this.bag[name] ?? 0;
      count.textContent = n;
      less.disabled = n <= 0;
      more.disabled = n >= (this.hand ?? ANY)[name];
    };
    show();
    return h("li", {}, h("span", {}, words, this.hand ? [" ", h("small", { text: _("of {n}", { n: this.hand[name] }) })] : null), less, count, more);
  }

  chosen() {
    return h("p", { text: handsOf(this.bag) });
  }
}
