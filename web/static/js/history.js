// What happened in this game, newest first; an action opens with its rule and pictures, and a seat can object to it.

import { h } from "./dom.js";
import { gameOf } from "./games.js";
import { post } from "./post.js";
import { ruleMark, ruling } from "./rules.js";
import { attempt, closeAll, look, sheet } from "./sheets.js";
import { _, lang, ngettext } from "./words.js";

const CAUSES = {
  camera: () => _("read by the camera"),
  phone: () => _("entered on a phone"),
  answer: () => _("answered on a phone"),
  opening: () => _("opened together"),
};

const NAMES_IN_WIDTH = 45; // names on a picture are this much smaller than it is wide
const MANY = 8; // choices that are found by eye

const time = (at) => new Date(at).toLocaleTimeString(lang, { hour: "2-digit", minute: "2-digit" });
const whose = (entry) => entry.who || _("The table");

// Open the history. base: "/" or "/seat/a/"; seated: whether this page may object.
export const openHistory = (base, view, seated) =>
  attempt(null, async () => {
    const past = await look(`${base}history.json`);
    sheet(
      h("h2", { text: _("What happened") }),
      seated && past.length ? h("p", { class: "hint", text: _("Tap what did not happen like that, or what you want to look up.") }) : null,
      past.length ? null : h("p", { text: _("Nothing has happened yet.") }),
      h("ol", { class: "past" }, past.map((entry) => h("li", {}, entry.kind === "act" ? line(entry, () => openAction(base, view, seated, entry.number)) : mark(entry)))),
    );
  });

const line = (entry, open) =>
  h(
    "button",
    { type: "button", class: entry.standing ? "" : "gone", onclick: open },
    h("span", { class: "what" }, h("b", { text: whose(entry) }), " ", h("span", { text: entry.text })),
    h("small", { text: [entry.standing ? null : _("taken back"), time(entry.at), CAUSES[entry.cause]?.()].filter(Boolean).join(" · ") }),
  );

const mark = (entry) =>
  h(
    "div",
    { class: "notice" },
    h("p", {}, h("span", { text: [entry.who, entry.text].filter(Boolean).join(": ") }), " ", h("small", { text: time(entry.at) })),
    entry.seen.length ? h("ul", { "aria-label": _("Has been seen") }, entry.seen.map((text) => h("li", { text }))) : null,
  );

const openAction = (base, view, seated, number) =>
  attempt(null, async () => {
    const entry = await look(`${base}history/${number}.json`);
    sheet(
      h("h2", { text: `${whose(entry)}: ${entry.text}` }),
      h("p", { class: "hint", text: [entry.phase, time(entry.at), CAUSES[entry.cause]?.()].filter(Boolean).join(" · ") }),
      Object.entries(entry.pictures).map(([side, picture]) => drawPicture(side, picture)),
      entry.effects.length ? h("ul", { class: "story" }, entry.effects.map(({ text, rule }) => h("li", {}, h("span", { text }), ruleMark(rule)))) : null,
      entry.ruling ? ruling({ ...entry.ruling, neighbours: entry.neighbours }) : h("p", { text: _("What was chosen here is not told: it was hidden, or is a matter of memory now.") }),
      seated && entry.standing
        ? h("button", { type: "button", class: "object", text: _("That is not what happened"), onclick: () => { closeAll(); openObjection(base, view, entry); } })
        : null,
    );
  });

// A picture kept with the action, and what was recognised in it.
function drawPicture(side, { name, size, marks }) {
  const caption = { before: _("Before"), after: _("After") }[side];
  return h(
    "figure",
    { class: "frame evidence" },
    h("a", { href: `/picture/${encodeURIComponent(name)}`, target: "_blank", rel: "noopener", "aria-label": caption }, h("img", { src: `/picture/${encodeURIComponent(name)}`, alt: caption }),
      size[0] ? h("svg:svg", { viewBox: `0 0 ${size[0]} ${size[1]}`, "aria-hidden": "true" }, marks.map((mark) => drawMark(mark, size[0]))) : null),
    h("figcaption", { text: caption }),
    marks.length ? h("details", { class: "neighbours" }, h("summary", {}, h("span", { text: _("What was recognised") })), h("p", { class: "hint", text: counted(marks) })) : null,
  );
}

// The names of what was recognised, each with how often.
function counted(marks) {
  const counts = new Map();
  for (const { name } of marks) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([one], [other]) => one.localeCompare(other)).map(([name, count]) => (count > 1 ? `${count} × ${name}` : name)).join(", ");
}

// An outline or a ring around what was recognised, and its name; larger on the picture than words of the page.
function drawMark({ name, sure, corners, at, radius }, width) {
  const kind = sure ? "sure" : "unsure";
  const [x, y] = at ?? corners.reduce(([a, b], [c, d]) => [a + c / corners.length, b + d / corners.length], [0, 0]);
  return h(
    "svg:g",
    { class: kind },
    h("svg:title", { text: name }),
    at ? h("svg:circle", { cx: x, cy: y, r: radius }) : h("svg:polygon", { points: corners.map((point) => point.join(",")).join(" ") }),
    at && sure ? null : h("svg:text", { x, y, "font-size": width / NAMES_IN_WIDTH, text: name }),
  );
}

// What really happened: another action of that moment, what lies there, or nothing at all.
function openObjection(base, view, entry) {
  const entering = entry.enter ? gameOf(view.game).entries?.[entry.enter] : null;
  sheet(
    h("h2", { text: _("What really happened?") }),
    h("p", { class: "hint", text: _("The others are asked. Until then nothing changes.") }),
    h("div", { class: "choices" }, h("button", { type: "button", class: "choice likely", text: _("Take it back: this did not happen"), onclick: (event) => propose(base, entry, null, event.target) })),
    entry.instead.length > MANY ? finder() : null,
    h(
      "div",
      { class: "choices" },
      entry.instead.map(({ action, text }) => h("button", { type: "button", class: "choice", text, onclick: () => weigh(base, entry, action, text) })),
    ),
    entering ? h("details", { class: "neighbours" }, h("summary", {}, h("span", { text: _("Enter what really lies there") })), entering((action) => propose(base, entry, action, null), view, entry.laid)) : null,
  );
}

// A field that leaves only those choices below it in which all its words stand.
function finder() {
  const narrow = (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    for (const choice of event.target.closest("dialog").querySelectorAll(".choices > .choice:not(.likely)")) {
      choice.hidden = !words.every((word) => choice.textContent.toLowerCase().includes(word));
    }
  };
  return h("div", { class: "search" }, h("input", { type: "search", "aria-label": _("Find among these"), placeholder: _("Find among these"), oninput: narrow }));
}

// An alternative with its ruling, before it is proposed.
const weigh = (base, entry, action, text) =>
  attempt(null, async () => {
    const answer = await post(`${base}instead/${entry.number}`, { action });
    sheet(
      h("p", { class: "hint", text: `${whose(entry)}: ${text}` }),
      ruling(answer),
      answer.legal
        ? h("button", { type: "button", class: "object", text: _("Yes, that is what happened"), onclick: (event) => propose(base, entry, action, event.target) })
        : null,
    );
  });

async function propose(base, entry, action, button) {
  let answer = null;
  const done = await attempt(button, async () => {
    answer = await post(`${base}propose/${entry.number}`, { action });
  });
  if (!done) return;
  if (answer.legal === false) sheet(ruling(answer));
  else closeAll();
}

// --- the vote ---------------------------------------------------------------------------------------------------

// What somebody proposes, how it stands, and (for a seat) what to tap. vote(rewind) and withdraw() are null to look on.
export function drawProposal({ proposal, you, seats }, vote, withdraw) {
  const name = (seat) => seats.find((s) => s.seat === seat)?.name ?? "";
  const mine = proposal.by === you;
  return [
    h("h2", { text: mine ? _("You said: that is not what happened") : _("{name} says: that is not what happened", { name: name(proposal.by) }) }),
    h("p", {}, h("s", { text: `${proposal.who || _("The table")}: ${proposal.was}` })),
    h("p", {}, h("b", { text: proposal.instead ?? _("This did not happen.") })),
    proposal.later ? h("p", { class: "hint", text: ngettext("One later action goes with it.", "{n} later actions go with it.", proposal.later) }) : null,
    h("p", { class: proposal.unanimous ? "" : "hint", text: proposal.rule }),
    h(
      "ul",
      { class: "votes" },
      seats.map(({ seat }) => {
        const said = { true: _("agrees"), false: _("is against it"), null: _("has not said") }[String(proposal.votes[seat] ?? null)];
        return h("li", { class: { true: "for", false: "against", null: "" }[String(proposal.votes[seat] ?? null)] }, h("span", { class: "name", text: name(seat) }), h("span", { class: "says", text: said }));
      }),
    ),
    vote && !mine
      ? h(
          "div",
          { class: "actions" },
          h("button", { type: "button", "aria-pressed": String(proposal.votes[you] === false), text: _("Keep it"), onclick: (event) => vote(false, event.target) }),
          h("button", { type: "button", class: "main", "aria-pressed": String(proposal.votes[you] === true), text: _("Rewind"), onclick: (event) => vote(true, event.target) }),
        )
      : null,
    withdraw && mine ? h("button", { type: "button", text: _("Never mind, keep it"), onclick: (event) => withdraw(event.target) }) : null,
  ];
}

