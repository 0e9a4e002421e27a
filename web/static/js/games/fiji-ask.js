// What one may ask about in Fiji: bids, goals turned and swapped, bids kept, and what the table lays.

import { bare, entered, oneDetail, picked } from "../imagined.js";
import { Picker } from "../picker.js";
import { _ } from "../words.js";
import { chooser } from "./fiji.js";
import { entries } from "./fiji-entry.js";

const MOST = 6; // beads in an imagined bid: more than the rules allow
const POSITIONS = [1, 2, 3, 4];

export const imaginable = (view, who) => (who === "table" ? laid(view) : [...sealed(), ...goals(view), ...kept()]);

const laid = (view) => [
  entered(_("Lay four conditions"), (ask) => entries.lay_conditions(ask, view)),
  entered(_("Lay four goals"), (ask) => entries.lay_goals(ask, view)),
];

const sealed = () =>
  [["bid", _("Bid beads")], ["set_aside", _("Set beads aside")]].map(([deed, text]) => picked(text, Picker, { action: { do: deed }, least: 1, most: MOST }, (beads) => ({ beads })));

// Goals are tapped where they lie; before they do, their places are named.
function goals(view) {
  const turns = POSITIONS.map((position) => ({ label: _("turn goal {n}", { n: position }), action: { do: "rotate_goal", position } }));
  const swaps = POSITIONS.flatMap((a) => POSITIONS.filter((b) => b > a).map((b) => ({ label: _("swap goals {a} ⇄ {b}", { a, b }), action: { do: "swap_goals", positions: [a, b] } })));
  const tapped = (text, options) => {
    const named = oneDetail(text, options);
    return entered(text, (ask) => chooser(view, options.map(({ action }) => ({ action, text: _("Ask") })), ask) ?? named.choose(ask));
  };
  return [tapped(_("Turn a goal"), turns), tapped(_("Swap two goals"), swaps)];
}

const kept = () => [bare(_("Keep the bid"), { do: "keep_bid", keep: true }), bare(_("Give the bid up"), { do: "keep_bid", keep: false })];
