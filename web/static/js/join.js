// The join page keeps up with who sits where, and remembers this person's name on this device.

import { byId } from "./dom.js";
import { Live } from "./live.js";
import { connection } from "./parts.js";
import { _ } from "./words.js";

const form = byId("sit");
const begun = form === null;

try {
  if (form && !form.elements.name.value) form.elements.name.value = localStorage.getItem("name") ?? "";
} catch {
  // nothing is kept in private windows
}

form?.addEventListener("submit", () => {
  try {
    localStorage.setItem("name", form.elements.name.value);
  } catch {
    // not kept; nothing is lost
  }
});

new Live("/", (view) => {
  if (view.begun !== begun) location.reload();
  for (const seat of view.seats) {
    const input = form?.querySelector(`input[value="${seat.seat}"]`);
    if (!input) continue;
    input.disabled = seat.taken;
    if (seat.taken) input.checked = false;
    input.closest("label").querySelector(".who").textContent = seat.taken ? seat.name : _("free");
  }
}, connection).start();
