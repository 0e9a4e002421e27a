// What every game has, for tables of games that have no drawing of their own yet.

import { h } from "../dom.js";
import { _ } from "../words.js";

export const points = (n) => ({ count: n, label: _("Points: {n}", { n }), sign: h("span", { class: "star", "aria-hidden": "true", text: "★" }) });

// A sealed decision that lies open: its arguments, as they were sealed.
export const secretBeads = (args) => h("span", { text: Object.entries(args).map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`).join(", ") });

export const opened = () => _("Opened together");

export const imaginable = () => [];

export const chooser = () => null;
