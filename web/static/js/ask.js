// "Is this allowed?" for any action: one's own, or what lies open of anybody else's.

import { h } from "./dom.js";
import { gameOf } from "./games.js";
import { Picker } from "./picker.js";
import { post } from "./post.js";
import { ruling } from "./rules.js";
import { attempt, sheet } from "./sheets.js";
import { _ } from "./words.js";

// Open the question. address: where it is asked; you: this page's seat, or null for whoever looks on.
export function openAsk(address, view, you) {
  const game = gameOf(view.game);
  const acting = view.to_act.find((actor) => Number.isInteger(actor));
  let who = you ?? acting ?? 0;
  const ask = (action) => attempt(null, async () => sheet(ruling(await post(address, { action: { ...action, by: who } }))));
  const list = h("div", { class: "choices two" });
  const dialog = sheet(
    h("h2", { text: _("Is this allowed?") }),
    h("label", { class: "who-asks" }, h("span", { text: _("Who would do it?") }),
      h("select", { autocomplete: "off", onchange: (event) => draw(Number(event.target.value)) },
        view.seats.map(({ seat, name }) => h("option", { value: seat, selected: seat === who, text: seat === you ? _("{name} (you)", { name }) : name })))),
    list,
  );
  function draw(seat) {
    who = seat;
    const own = seat === you && game.LIMITS?.bid && !game.Choice;
    const choices = (game.askable?.(view) ?? []).map(([text, action]) => h("button", { type: "button", class: "choice", text, onclick: () => ask(action) }));
    if (own) choices.unshift(h("button", { type: "button", class: "choice wide", text: _("a bid …"), onclick: () => askBid() }));
    list.replaceChildren(...(choices.length ? choices : [h("p", { text: _("Nothing of this can be asked here. Look it up in the rules.") })]));
  }
  function askBid() {
    dialog.close();
    const picker = new Picker({
      title: _("May I bid this?"), invitation: "", hand: null, least: game.LIMITS.bid[0], most: 6, confirm: _("Ask"),
      done: async (bag) => {
        picker.close();
        await ask({ do: "bid", beads: bag });
      },
    }).open();
    window.addEventListener("pagehide", () => picker.close(), { once: true });
  }
  draw(who);
}
