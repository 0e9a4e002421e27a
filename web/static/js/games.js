// The games whose tables the pages can draw; what a game does not draw itself is drawn plainly or left out.

import * as fijiAsk from "./games/fiji-ask.js";
import * as fijiEntry from "./games/fiji-entry.js";
import * as fiji from "./games/fiji.js";
import * as giantsAsk from "./games/giants-ask.js";
import * as giantsEntry from "./games/giants-entry.js";
import * as giants from "./games/giants.js";
import * as maoriAsk from "./games/maori-ask.js";
import * as maoriEntry from "./games/maori-entry.js";
import * as maori from "./games/maori.js";
import * as plain from "./games/plain.js";
import * as rapaNuiAsk from "./games/rapa-nui-ask.js";
import * as rapaNuiEntry from "./games/rapa-nui-entry.js";
import * as rapaNui from "./games/rapa-nui.js";

const games = {
  fiji: { ...plain, ...fiji, ...fijiEntry, ...fijiAsk },
  giants: { ...plain, ...giants, ...giantsEntry, ...giantsAsk },
  maori: { ...plain, ...maori, ...maoriEntry, ...maoriAsk },
  "rapa-nui": { ...plain, ...rapaNui, ...rapaNuiEntry, ...rapaNuiAsk },
};

export const gameOf = (name) => games[name] ?? plain;
