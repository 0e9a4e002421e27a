// The games whose tables the pages can draw.

import * as entry from "./games/fiji-entry.js";
import * as fiji from "./games/fiji.js";

export const games = { fiji: { ...fiji, ...entry } };
