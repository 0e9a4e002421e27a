// The scoreboard as the e-paper shows it.

import { Live } from "./live.js";
import { connection, Picture } from "./parts.js";

const pictures = Array.from(document.querySelectorAll("img[data-board]"), (image) => new Picture(image, image.dataset.board));
new Live("/", () => pictures.forEach((picture) => picture.refresh()), connection).start();
setInterval(() => pictures.forEach((picture) => picture.refresh()), 5000); // its own drawing may come a little later
