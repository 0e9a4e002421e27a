// "Is this allowed?" for any deed of anybody, done or only imagined: first who, then what, then its details.

import { h } from "./dom.js";
import { gameOf } from "./games.js";
import { padded, send } from "./post.js";
import { ruling } from "./rules.js";
import { attempt, sheet } from "./sheets.js";
import { _ } from "./words.js";

// Open the question. address: where it is asked; now(): the newest view; you: this page's seat, or null for whoever
// looks on.
export function openAsk(address, now, you) {
  const game = gameOf(now().game);
  const acting = now().to_act.find((actor) => Number.isInteger(actor));
  const actors = [...now().seats.map(({ seat, name }) => [seat, seat === you ? _("{name} (you)", { name }) : name]), ["table", _("The table")]];
  let who = you ?? acting ?? 0;
  const ask = (action) => attempt(null, async () => sheet(ruling(await send(address, padded({ action: { ...action, by: who } })))));
  const body = h("div", { class: "asking" });
  const dialog = sheet(h("h2", { text: _("Is this allowed?") }), body);
  const close = dialog.querySelector(".actions > .main");
  const back = h("button", { type: "button", text: _("Back"), onclick: () => kinds() });
  close.before(back);

  function show(asking, ...content) {
    back.hidden = !asking;
    close.classList.toggle("main", !asking);
    body.replaceChildren(...content);
    dialog.scrollTop = 0;
  }

  function kinds() {
    const choices = game.imaginable(now(), who).map((kind) => h("button", { type: "button", class: "choice", text: kind.text, onclick: () => details(kind) }));
    show(
      false,
      h("label", { class: "who-asks" }, h("span", { text: _("Who would do it?") }),
        h("select", { autocomplete: "off", onchange: (event) => choose(event.target.selectedIndex) }, actors.map(([actor, text]) => h("option", { selected: actor === who, text })))),
      choices.length ? h("div", { class: "choices two" }, choices) : h("p", { text: _("Nothing of this can be asked here. Look it up in the rules.") }),
    );
  }

  function choose(index) {
    [who] = actors[index];
    kinds();
    body.querySelector("select").focus();
  }

  function details(kind) {
    const [, name] = actors.find(([actor]) => actor === who);
    const form = kind.choose(ask, name);
    if (form) show(true, h("p", { class: "deed" }, h("b", { text: `${name}:` }), " ", h("span", { text: kind.text })), form);
  }

  window.addEventListener("pagehide", () => dialog.close(), { once: true }); // what somebody thinks of goes with the page
  kinds();
}
