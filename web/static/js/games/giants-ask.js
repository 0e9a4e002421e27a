// What one may ask about in Giants: bids, Moais, figures, tablets, carrying, markers, looking under a Moai, and dice.

import { h } from "../dom.js";
import { askButton, bare, entered, oneDetail, picked } from "../imagined.js";
import { _ } from "../words.js";
import { BidPicker, sealedArgs } from "./giants-bid.js";
import { carvings, ENDS, keepScroll, oneOf, pieceTap, placing, selected } from "./giants-choose.js";
import { entries } from "./giants-entry.js";
import { alone, figureSign, helperWords, island, logSign, quarryOf } from "./giants-map.js";

const SIZES = [1, 2, 3];

export const imaginable = (view, who) => (who === "table" ? laid(view) : done({ ...view, you: who }));

const laid = (view) => [entered(_("Roll the dice"), (ask) => entries.roll(ask, view))];

const movable = ({ pieces }) => Object.entries(pieces).filter(([, piece]) => !piece.ahu);

// A piece to tap, with the clan before whose screen it stands.
const ownedTap = (id, piece, seats) => {
  const owner = Number.isInteger(piece.before) ? alone(figureSign(piece.before, "worker")) : null;
  const one = pieceTap(id, piece, seats);
  return { ...one, face: owner ? [h("span", {}, one.face[0], owner), one.face[1]] : one.face };
};

function done(view) {
  const { state, seats } = view;
  const pieces = (deed) => movable(state).map(([piece, one]) => ({ ...ownedTap(piece, one, seats), action: { do: deed, piece } }));
  const ahus = Object.keys(state.board.ahus).map((ahu) => ({ label: _("Ahu {ahu}", { ahu }), face: ahu, action: { do: "peek", ahu } }));
  return [
    picked(_("Bid"), BidPicker, { action: { do: "bid" }, least: 0 }, sealedArgs),
    oneDetail(_("Take a Moai"), carvings(SIZES), "four"),
    entered(_("Place a figure"), (ask) => placing(view, ask, true)),
    bare(_("Take half a tablet"), { do: "rongo" }),
    entered(_("Carry a piece"), (ask) => carrying(view, ask)),
    ...(movable(state).length ? [oneDetail(_("Mark a piece"), pieces("mark")), oneDetail(_("Take a marker back"), pieces("unmark"))] : []),
    oneDetail(_("Look under a Moai"), ahus, "four"),
    bare(_("Pass"), { do: "pass" }),
  ];
}

// Any piece over any hexes with whoever stands there, whether it can go there or not.
function carrying(view, ask) {
  const { state, seats } = view;
  if (!movable(state).length) return h("p", { class: "hint", text: _("No piece is in play yet.") });
  let wish = null; // {piece, path: [{hex, helpers: places among those who stand there}], end}
  const place = h("div", { class: "gi-steps" });
  const confirm = askButton(() => ask(action()));
  const what = oneOf(movable(state).map(([id, piece]) => ownedTap(id, piece, seats)), (piece) => {
    wish = { piece, path: [], end: "none " };
    draw();
  });
  const standing = (hex) => state.figures[hex] ?? [];
  function action() {
    const [then, ahu] = wish.end.split(/ (.*)/);
    const helpers = wish.path.map((step) => standing(step.hex).filter((_one, at) => step.helpers.has(at)));
    return { do: "move", piece: wish.piece, path: wish.path.map((step) => step.hex), helpers, then: then === "none" ? null : then, ...(ahu ? { ahu } : {}) };
  }
  function step(hex) {
    if (hex === wish.path.at(-1)?.hex) wish.path.pop();
    else wish.path.push({ hex, helpers: new Set() });
    draw();
  }
  const carrier = (step, one, at) =>
    h("button", { type: "button", class: "tap", "aria-pressed": String(step.helpers.has(at)), "aria-label": helperWords([one], seats), onclick: (event) => {
      if (!step.helpers.delete(at)) step.helpers.add(at);
      event.currentTarget.setAttribute("aria-pressed", String(step.helpers.has(at)));
    } }, alone(one === "log" ? logSign() : figureSign(...one)));
  const carriers = () =>
    h("ol", { class: "gi-carriers", "aria-label": _("Who carries") }, wish.path.map((step) =>
      h("li", {}, h("b", { text: step.hex }), standing(step.hex).length ? h("div", { class: "taps" }, standing(step.hex).map((one, at) => carrier(step, one, at))) : h("span", { class: "hint", text: _("Nobody stands there.") }))));
  function draw() {
    confirm.disabled = false;
    const start = state.pieces[wish.piece].hex ?? quarryOf(state, state.pieces[wish.piece].kind);
    const ahus = Object.keys(state.board.ahus);
    const ends = [["none ", ENDS.none()], ["mark ", ENDS.mark()], ...["erect", "crown"].flatMap((then) => ahus.map((ahu) => [`${then} ${ahu}`, ENDS[then](ahu)]))];
    keepScroll(place, () =>
      place.replaceChildren(
        h("p", { class: "hint", text: _("Tap the hexes one by one, the last one to step back; then who carries.") }),
        island(view, { tap: step, path: [start, ...wish.path.map((one) => one.hex)] }),
        ...(wish.path.length ? [carriers()] : []),
        selected(_("What happens there"), ends, wish.end, (end) => (wish.end = end)),
      ));
  }
  return h("div", { class: "chooser" }, h("div", { class: "taps" }, what.nodes), place, confirm);
}
