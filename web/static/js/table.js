// The page for a television at the table: the picture with what was recognised, and all that is open.

import { byId, h, section } from "./dom.js";
import { Live } from "./live.js";
import { connection, drawTable, Picture } from "./parts.js";
import { _ } from "./words.js";

const picture = new Picture(byId("picture"), "/picture/table");

function draw(view) {
  drawTable(view);
  byId("join").hidden = view.begun;
  byId("no-picture").hidden = view.camera;
  section(byId("seen"), view.seen?.length ? view.seen : null, (seen) =>
    seen.map(({ text, sure }) => h("li", { class: sure ? "sure" : "unsure", text: sure ? text : _("{thing}?", { thing: text }) })),
  );
  if (view.camera) picture.refresh();
  watching = view.camera;
}

let watching = false;
setInterval(() => watching && picture.refresh(), 1500);
new Live("/", draw, connection).start();
