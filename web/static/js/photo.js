// A photo of the table in place of the camera: sent as it is, read by the table, and never kept on the phone.

import { h } from "./dom.js";
import { Refused, sendFile } from "./post.js";
import { attempt, sheet } from "./sheets.js";
import { _ } from "./words.js";

const LARGEST = 12e6; // bytes

export const sendPhoto = (base, input) =>
  attempt(null, async () => {
    const [file] = input.files;
    input.value = "";
    if (!file) return;
    if (file.size > LARGEST) throw new Refused("photo_size", _("This photo is too large: at most 25 megapixels and 12 MB."));
    const waiting = sheet(h("h2", { text: _("The photo is being read …") }));
    try {
      const { text, differences, played } = await sendFile(`${base}photo`, file);
      sheet(h("h2", { text: _("What the photo shows") }), played.length ? h("p", {}, h("b", { text: played.join(" · ") })) : null, h("p", { text }), h("ul", { class: "plain" }, differences.map((one) => h("li", { text: one.text }))));
    } finally {
      waiting.close();
    }
  });
