// The way back: the token stands behind the #, which no server sees; it is taken out of the address at once.

import { byId } from "./dom.js";

const token = location.hash.slice(1);
if (token) {
  history.replaceState(null, "", location.pathname);
  byId("way").elements.token.value = token;
  byId("way").submit();
}
