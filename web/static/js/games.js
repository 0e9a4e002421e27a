// The games whose tables the pages can draw.

import * as fiji from "./games/fiji.js";

export const games = { fiji };
