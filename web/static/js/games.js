// The games whose tables the pages can draw; what a game does not draw itself is drawn plainly or left out.

import * as entry from "./games/fiji-entry.js";
import * as fiji from "./games/fiji.js";
import * as giantsEntry from "./games/giants-entry.js";
import * as giants from "./games/giants.js";
import * as maoriEntry from "./games/maori-entry.js";
import * as maori from "./games/maori.js";
import * as plain from "./games/plain.js";
import * as rapaNuiEntry from "./games/rapa-nui-entry.js";
import * as rapaNui from "./games/rapa-nui.js";

const games = {
  fiji: { ...plain, ...fiji, ...entry },
  giants: { ...plain, ...giants, ...giantsEntry },
  maori: { ...plain, ...maori, ...maoriEntry },
  "rapa-nui": { ...plain, ...rapaNui, ...rapaNuiEntry },
};

export const gameOf = (name) => games[name] ?? plain;
