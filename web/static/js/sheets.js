// Sheets that slide over a page: for rulings, rules, what happened, and for saying that something did not work.

import { h } from "./dom.js";
import { Refused } from "./post.js";
import { _ } from "./words.js";

// Open a sheet with this content and a button that closes it.
export function sheet(...content) {
  const close = h("button", { type: "button", class: "main", text: _("Close"), onclick: () => dialog.close() });
  const dialog = h("dialog", { class: "sheet" }, ...content, h("div", { class: "actions" }, close));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && beside(dialog, event) && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
  return dialog;
}

// Whether a tap is on the page behind, and not on a sheet's own margin.
function beside(dialog, { clientX: x, clientY: y }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

// A sheet with what only this seat may see: it goes with the page, and when the moment it belongs to is over.
export function privately(...content) {
  const dialog = sheet(...content);
  dialog.classList.add("private");
  dialog.lastChild.lastChild.classList.remove("main");
  return dialog;
}

export const closePrivate = () => document.querySelectorAll("dialog.private").forEach((dialog) => dialog.close());

export const closeAll = () => document.querySelectorAll("dialog.sheet[open]").forEach((dialog) => dialog.close());

// Do something once, and say so when it does not work; whether it did.
export async function attempt(button, deed) {
  if (button) button.disabled = true;
  try {
    await deed();
    return true;
  } catch (error) {
    if (error.code === "csrf") location.reload();
    const text = error instanceof Refused ? error.message : _("The table cannot be reached. Try again.");
    sheet(h("h2", { text: _("That did not work") }), h("p", { text }));
    return false;
  } finally {
    if (button) button.disabled = false;
  }
}

// The JSON at this address; a refusal is an error with a sentence for people.
export async function look(address) {
  const response = await fetch(address, { cache: "no-store" });
  const answer = await response.json();
  if (!response.ok) throw new Refused(answer.error, answer.text);
  return answer;
}
