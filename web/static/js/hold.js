// Hold to see: a secret is in the page only while a finger (or the space bar) holds the button, and never while the
// page is in the background.

export function holdToSee(button, show, hide) {
  let held = false;
  const open = () => {
    if (held || document.hidden) return;
    held = true;
    button.setAttribute("aria-pressed", "true");
    show();
  };
  const close = () => {
    if (!held) return;
    held = false;
    button.setAttribute("aria-pressed", "false");
    hide();
  };
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    button.setPointerCapture?.(event.pointerId);
    open();
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture", "blur"]) button.addEventListener(end, close);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("keydown", (event) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      open();
    }
  });
  button.addEventListener("keyup", close);
  document.addEventListener("visibilitychange", close);
  window.addEventListener("pagehide", close);
  window.addEventListener("blur", close);
  return close;
}
