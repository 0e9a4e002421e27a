// The page for whoever looks on: everything that is open, and what can be looked up.

import { openAsk } from "./ask.js";
import { byId } from "./dom.js";
import { openHistory } from "./history.js";
import { Live } from "./live.js";
import { blankWhenHidden, connection, drawTable } from "./parts.js";

let view = null;

function draw(next) {
  view = next;
  drawTable(view);
  for (const id of ["past", "ask"]) byId(id).hidden = !view.begun;
}

byId("past").addEventListener("click", () => openHistory("/", view, false));
byId("ask").addEventListener("click", () => openAsk("/ask", () => view, null));

new Live("/", draw, connection).start();
blankWhenHidden();
