// Choosing beads by tapping: choose, look at it once more, seal. The draft lives in this object alone, never in a
// form field, so neither the back button nor a reload can bring it back.

import { bagBeads, bagWords, bead, COLOURS, colourName, total } from "./beads.js";
import { h } from "./dom.js";
import { _, ngettext } from "./words.js";

const MOST_OF_A_COLOUR = 12; // when asking in general, without a hand

export class Picker {
  // aside: what is worth seeing while choosing. hand null: any beads (only asking).
  // done(bag) is called when the choice is confirmed; it may return a promise.
  constructor({ title, invitation, aside = null, hand, least, most, confirm, done, closed }) {
    Object.assign(this, { title, invitation, aside, hand, least, most, confirm, done });
    this.bag = {};
    this.dialog = h("dialog", { class: "picker", "aria-label": title });
    this.dialog.addEventListener("close", () => {
      this.wipe();
      this.dialog.remove();
      closed?.();
    });
    document.body.append(this.dialog);
  }

  open() {
    this.choosing();
    this.dialog.showModal();
    return this;
  }

  close() {
    this.dialog.close();
  }

  wipe() {
    this.bag = {};
    this.dialog.replaceChildren();
  }

  // The first step: a tray with sockets, and the beads to tap.
  choosing(notice = "") {
    this.tray = h("div", { class: "tray", role: "group", "aria-label": _("Chosen beads: tap one to put it back") });
    this.tiles = COLOURS.map((colour) => [colour, h("button", { type: "button", class: "tile", onclick: () => this.add(colour) })]);
    this.next = h("button", { type: "button", class: "main", onclick: () => (this.hand ? this.reviewing() : this.finish()) });
    this.dialog.replaceChildren(
      h("h2", { text: this.title }),
      h("p", { class: notice ? "notice" : "hint", text: notice || this.invitation, role: notice ? "alert" : null }),
      this.aside ?? "",
      this.tray,
      h("div", { class: "tiles" }, this.tiles.map(([, tile]) => tile)),
      h("div", { class: "actions" }, h("button", { type: "button", text: _("Cancel"), onclick: () => this.close() }), this.next),
    );
    this.refresh();
  }

  add(colour) {
    if (total(this.bag) >= this.most || this.left(colour) <= 0) return;
    navigator.vibrate?.(12); // the same for every bead
    this.bag[colour] = (this.bag[colour] ?? 0) + 1;
    this.refresh();
  }

  remove(colour) {
    navigator.vibrate?.(12);
    this.bag[colour] -= 1;
    if (!this.bag[colour]) delete this.bag[colour];
    this.refresh();
    this.tiles.find(([c]) => c === colour)?.[1].focus();
  }

  left(colour) {
    return (this.hand ? (this.hand[colour] ?? 0) : MOST_OF_A_COLOUR) - (this.bag[colour] ?? 0);
  }

  refresh() {
    const count = total(this.bag);
    const sockets = COLOURS.flatMap((c) => Array.from({ length: this.bag[c] ?? 0 }, () => c)).map((colour) =>
      h(
        "button",
        { type: "button", class: "socket", "aria-label": _("Put {colour} back", { colour: colourName(colour) }), onclick: () => this.remove(colour) },
        bead(colour, "l"),
      ),
    );
    while (sockets.length < this.most) sockets.push(h("span", { class: "socket", "aria-hidden": "true" }));
    this.tray.replaceChildren(...sockets);
    for (const [colour, tile] of this.tiles) {
      const left = this.left(colour);
      tile.disabled = left <= 0 || count >= this.most;
      tile.setAttribute("aria-label", _("Add {colour}", { colour: colourName(colour) }) + (this.hand ? `, ${ngettext("{n} left", "{n} left", left)}` : ""));
      tile.replaceChildren(
        bead(colour, "l"),
        h("span", { class: "words" }, h("span", { text: colourName(colour) }), this.hand ? h("b", { text: left }) : null),
      );
    }
    this.next.disabled = count < this.least;
    this.next.textContent = count < this.least ? ngettext("{n} more", "{n} more", this.least - count) : this.hand ? _("Review") : this.confirm;
  }

  // The second step: once more in words, then the seal.
  reviewing() {
    const seal = h("button", { type: "button", class: "main", text: this.confirm, onclick: () => this.finish(seal) });
    this.dialog.replaceChildren(
      h("h2", { text: this.title }),
      h("div", { class: "review" }, this.chosen()),
      h("p", { class: "hint", text: _("Once sealed, it is hidden. You can change it until everybody has sealed.") }),
      h("div", { class: "actions" }, h("button", { type: "button", text: _("Back"), onclick: () => this.choosing() }), seal),
    );
    seal.focus();
  }

  // What is chosen, drawn and in words.
  chosen() {
    return [bagBeads(this.bag, "l"), h("p", { text: bagWords(this.bag) })];
  }

  async finish(button = this.next) {
    button.disabled = true;
    this.dialog.setAttribute("aria-busy", "true");
    try {
      await this.done({ ...this.bag });
    } catch (error) {
      this.choosing(error.message);
    } finally {
      this.dialog.removeAttribute("aria-busy");
    }
  }

  // The same seal for every bid, whatever it holds.
  stamp() {
    this.stamped = true;
    navigator.vibrate?.(30);
    this.dialog.replaceChildren(h("div", { class: "stamp", role: "status" }, h("span", { class: "wax big" }), h("p", { text: _("Sealed") })));
    setTimeout(() => this.close(), matchMedia("(prefers-reduced-motion: reduce)").matches ? 300 : 1100);
  }
}
