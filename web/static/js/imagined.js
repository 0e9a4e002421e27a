// Kinds of deeds that one may ask about, as {text, choose}: `choose(ask, who)` draws a form for the details, or it asks
// at once or opens a picker, and draws nothing. ask(action) asks the table about the deed; who: the name of its doer.

import { h } from "./dom.js";
import { _ } from "./words.js";

// A deed that needs no details.
export const bare = (text, action) => ({
  text,
  choose(ask) {
    ask(action);
  },
});

// A deed with one detail, asked about at a tap. options: [{face, label, action}]; without a face the label is shown.
export const oneDetail = (text, options, kind = "") => ({
  text,
  choose: (ask) =>
    h("div", { class: `taps ${kind}` }, options.map(({ face, label, action }) => h("button", { type: "button", class: "tap", "aria-label": label, onclick: () => ask(action) }, face ?? label))),
});

// A deed whose details are put together in a form.
export const entered = (text, form) => ({ text, choose: form });

// A deed that is sealed when it is done: chosen as for a seal, of any hand. args(chosen): the deed's arguments.
export const picked = (text, Choice, { action, least, most = 0 }, args) => ({
  text,
  choose(ask, who) {
    const picker = new Choice({
      title: _("Is this allowed?"), invitation: `${who}: ${text}`, hand: null, least, most, confirm: _("Ask"),
      done: async (chosen) => {
        picker.close();
        await ask({ ...action, ...args(chosen) });
      },
    }).open();
    window.addEventListener("pagehide", () => picker.close(), { once: true });
  },
});

// The button that asks about what has been put together.
export const askButton = (onclick) => h("button", { type: "button", class: "main", disabled: true, text: _("Ask"), onclick });
