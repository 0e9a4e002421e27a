// The spectators' page: what lies open, and no more.

import { Live } from "./live.js";
import { blankWhenHidden, connection, drawTable } from "./parts.js";

new Live("/", drawTable, connection).start();
blankWhenHidden();
