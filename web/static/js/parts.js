// Parts that several pages show: the players, what happened, the check of the seals, the result, the camera's state.

import { byId, h, section } from "./dom.js";
import { gameOf } from "./games.js";
import { drawProposal } from "./history.js";
import { ruleMark } from "./rules.js";
import { check, closed, witness } from "./seal.js";
import { _, list, ngettext } from "./words.js";

export const nameOf = (view, seat) => view.seats.find((s) => s.seat === seat)?.name ?? _("Seat {n}", { n: seat + 1 });

// Draw what all pages share; a page that lacks one of the elements simply does not show it.
export function drawTable(view) {
  const game = gameOf(view.game);
  const state = view.begun ? view.state : null;
  const drawn = (name) => (game[name] && state?.[name] && (state[name].length ?? 1) ? state[name] : null);
  witness(view);
  const phase = view.phase?.text ?? _("Welcome");
  document.title = `${phase} · Companion`;
  section(byId("phase"), phase, (text) => h("span", { text }));
  section(byId("waiting"), view.waiting, (text) => h("span", { text }));
  section(byId("players"), players(view), (data) => drawPlayers(data, game));
  section(byId("rows"), drawn("rows"), (data) => [h("h2", { text: _("Conditions") }), game.rows(data)]);
  section(byId("goals"), drawn("goals"), (data) => [
    h("h2", {}, _("Goals"), h("small", { text: _("the first counts most") })),
    game.goals(data),
  ]);
  section(byId("supply"), drawn("supply"), (data) => [h("h2", { text: _("Supply") }), game.supply(data)]);
  section(byId("lying"), game.lying && state ? { state, seats: view.seats, you: view.you } : null, () => game.lying(view));
  section(byId("sync"), sync(view), drawSync);
  section(byId("back"), view.back ?? null, (text) => h("p", { text }));
  if (view.you === null) section(byId("vote"), view.proposal ? { proposal: view.proposal, you: null, seats: view.seats } : null, (data) => drawProposal(data, null, null));
  section(byId("final"), view.over ? { ranking: view.ranking, scores: view.scores, seats: view.seats } : null, (data) => drawFinal(data, game));
  drawReveal(view, game);
}

const players = (view) => ({
  begun: view.begun,
  you: view.you,
  scores: openScores(view),
  sealing: Boolean(view.moment),
  sealed: view.moment ? view.sealed : [],
  codes: closed(view) ? view.commitments.map((commitment) => commitment.slice(0, 8)) : [],
  acting: view.to_act,
  seats: view.seats.filter((seat) => view.begun || seat.taken),
});

// Points that everybody can count, where a game keeps the others hidden until its end.
export const openScores = (view) => (view.begun && !view.scores.length ? (gameOf(view.game).counted?.(view.state) ?? view.state?.scores ?? []) : view.begun ? view.scores : []);

function drawPlayers({ begun, you, scores, sealing, sealed, codes, acting, seats }, game) {
  if (!seats.length) return null;
  return h(
    "ul",
    { class: "players" },
    seats.map(({ seat, name }) => {
      const state = sealed[seat] ? "sealed" : acting.includes(seat) ? "due" : "idle";
      const says = { sealed: _("has sealed"), due: sealing ? _("still chooses") : _("is to act"), idle: "" }[state];
      const points = begun ? game.points(scores.find((s) => s.seat === seat)?.total ?? 0) : null;
      return h(
        "li",
        { class: `${state} ${seat === you ? "you" : ""}` },
        h("span", { class: "wax", "aria-hidden": "true" }),
        h("span", { class: "name", text: name ?? "" }),
        seat === you ? h("span", { class: "me", text: _("you") }) : null,
        codes[seat] ? h("code", { class: "says", text: codes[seat] }) : says ? h("span", { class: "says", text: says }) : null,
        points ? h("span", { class: "points", role: "img", "aria-label": points.label }, points.sign, h("b", { text: points.count })) : null,
      );
    }),
  );
}

function sync(view) {
  return view.sync.status === "differs" ? view.sync : null;
}

const FEW = 2; // differences that even a phone has room for

function drawSync({ text, differences }) {
  const roomy = !document.body.classList.contains("phone");
  return h(
    "details",
    { open: roomy || differences.length <= FEW },
    h("summary", {}, h("h2", { text })),
    h("ul", {}, differences.map((difference) => h("li", { text: difference.text }))),
    h("p", { class: "hint", text: _("Put it right, or enter on a phone what was done: the game goes on by itself.") }),
  );
}

const READING_TIME = 20000; // ms for which a page keeps what was opened, though somebody seals the next bid sooner
let lastMoment;
let opened = { at: 0, title: "" };
let readAgain;

// All bids at once, the check of their seals, then row by row what followed.
function drawReveal(view, game) {
  const node = byId("reveal");
  if (!node || stillRead(view, game)) return;
  const bids = view.openings;
  const story = told(view);
  const data = bids.length || story.length ? { bids, story, checked: check(view), seats: view.seats } : null;
  const moment = view.openings[0]?.moment;
  const fresh = lastMoment !== undefined && moment !== undefined && moment !== lastMoment;
  lastMoment = moment ?? "";
  const drawn = section(node, data, () => [
    bids.length ? drawBids(view, bids, game) : null,
    bids.length ? drawCheck(view, data.checked) : null,
    story.map((chapter) => drawChapter(chapter)),
  ]);
  if (drawn) node.classList.toggle("fresh", fresh);
  if (drawn && game.lying) node.scrollTop = node.scrollHeight; // a long story is cut at its beginning
  if (drawn && fresh) opened = { at: Date.now(), title: story.at(-1)?.title };
  section(byId("alarm"), data?.checked.wrong.length ? data.checked.wrong : null, (seats) => [
    h("h2", { text: _("A seal does not fit") }),
    h("p", {
      text: _("What was opened for {names} is not what was sealed. Stop here and look at the bids together.", {
        names: list(seats.map((seat) => nameOf(view, seat))),
      }),
    }),
  ]);
}

// What happened, but for what only this seat may know: that shows while a finger holds its button.
export const told = (view, own = false) =>
  (view.story ?? []).map((chapter) => ({ ...chapter, items: chapter.items.filter((item) => Boolean(item.own) === own) })).filter((chapter) => chapter.items.length);

// The table tells the story of an exchange only until the next one is under way; slow readers get their time.
function stillRead(view, game) {
  clearTimeout(readAgain);
  const left = opened.at + READING_TIME - Date.now();
  if (left <= 0 || view.openings.length || view.story.at(-1)?.title !== opened.title) return false;
  readAgain = setTimeout(() => drawReveal(view, game), left);
  return true;
}

const drawBids = (view, bids, game) => [
  h("h2", { text: game.opened(bids[0].do) }),
  h(
    "ul",
    { class: "bids" },
    bids.map((bid) =>
      h("li", { class: bid.seat === view.you ? "you" : "" }, h("span", { class: "name", text: nameOf(view, bid.seat) }), game.secretBeads(bid.args)),
    ),
  ),
];

function drawCheck(view, { checked, wrong, mine }) {
  if (wrong.length) return null; // said loudly elsewhere
  const text = {
    fits: _("All seals fit, yours is the one you were promised."),
    later: _("All seals fit. This device holds no receipt for your last one."),
    none: ngettext("The seal fits.", "All {n} seals fit.", checked),
  }[mine];
  return h("p", { class: "tick" }, h("span", { "aria-hidden": "true", text: "✓ " }), text);
}

const drawChapter = ({ title, items }) => [
  h("h2", { text: title }),
  h(
    "ol",
    { class: "story" },
    items.map(({ row, text, rule }) =>
      h(
        "li",
        { class: row ? "row" : "plain" },
        row ? h("span", { class: "rank", "aria-label": _("Row {n}", { n: row }), text: row }) : null,
        h("span", { text }),
        ruleMark(rule),
      ),
    ),
  ),
];

function drawFinal({ ranking, scores, seats }, game) {
  const nameAt = (seat) => seats.find((s) => s.seat === seat)?.name ?? "";
  let place = 1;
  const places = ranking.map((group) => {
    const shown = place;
    place += group.length;
    return group.map((seat) => {
      const points = game.points(scores.find((s) => s.seat === seat)?.total ?? 0);
      return h(
        "li",
        { class: shown === 1 ? "first" : "" },
        h("span", { class: "rank", text: shown }),
        h("span", { class: "name", text: nameAt(seat) }),
        h("span", { class: "points", role: "img", "aria-label": points.label }, points.sign, h("b", { text: points.count })),
      );
    });
  });
  return [h("h2", { text: _("The end of the game") }), h("ol", { class: "ranking" }, places)];
}

// A short word at the top edge when the table cannot be reached.
export function connection(status) {
  section(byId("connection"), status === "lost" ? "lost" : null, () =>
    h("p", { text: _("The table cannot be reached right now. Play on: this page catches up by itself.") }),
  );
}

// Blank while in the background: the picture that phones keep of a page shows nothing.
export function blankWhenHidden() {
  const veil = () => document.documentElement.classList.toggle("away", document.hidden);
  document.addEventListener("visibilitychange", veil);
  window.addEventListener("pagehide", () => document.documentElement.classList.add("away"));
  window.addEventListener("pageshow", veil);
}

// Keeps an <img> at the newest version of a picture; fetches only what has changed.
export class Picture {
  constructor(image, address) {
    this.image = image;
    this.address = address;
    this.etag = "";
  }

  async refresh() {
    if (this.busy || document.hidden) return;
    this.busy = true;
    try {
      const response = await fetch(this.address, { cache: "no-store", headers: this.etag ? { "If-None-Match": this.etag } : {} });
      if (response.status === 200) {
        const old = this.image.src;
        this.etag = response.headers.get("ETag") ?? "";
        this.image.src = URL.createObjectURL(await response.blob());
        this.image.hidden = false;
        if (old.startsWith("blob:")) URL.revokeObjectURL(old);
      }
    } catch {
      // The next round tries again; the connection's own notice tells people.
    } finally {
      this.busy = false;
    }
  }
}
