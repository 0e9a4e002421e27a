// The page for a television at the table: the picture with what was recognised, and all that is open.

import { byId, h, section } from "./dom.js";
import { Live } from "./live.js";
import { connection, drawTable, Picture } from "./parts.js";
import { ngettext } from "./words.js";

const picture = new Picture(byId("picture"), "/picture/table");

function draw(view) {
  drawTable(view);
  byId("join").hidden = view.begun;
  byId("no-picture").hidden = view.camera;
  section(byId("seen"), view.camera && view.seen?.length ? view.seen.map((card) => card.sure) : null, (seen) => recognised(seen));
  if (view.camera) picture.refresh();
  watching = view.camera;
}

function recognised(seen) {
  const unsure = seen.filter((sure) => !sure).length;
  const words = [ngettext("One card recognised", "{n} cards recognised", seen.length - unsure)];
  if (unsure) words.push(ngettext("one in doubt", "{n} in doubt", unsure));
  return h("span", { text: words.join(", ") });
}

let watching = false;
setInterval(() => watching && picture.refresh(), 1500);
new Live("/", draw, connection).start();
