// The games whose tables the pages can draw; what a game does not draw itself is drawn plainly or left out.

import * as entry from "./games/fiji-entry.js";
import * as fiji from "./games/fiji.js";
import * as plain from "./games/plain.js";

const games = { fiji: { ...plain, ...fiji, ...entry } };

export const gameOf = (name) => games[name] ?? plain;
