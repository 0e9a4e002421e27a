// A seat's page: what is to do, the sealed bid, the choices, the camera's questions.

import { openAsk } from "./ask.js";
import { byId, forget, h, section } from "./dom.js";
import { gameOf } from "./games.js";
import { drawProposal, openHistory } from "./history.js";
import { holdToSee } from "./hold.js";
import { Live } from "./live.js";
import { blankWhenHidden, connection, drawTable, told } from "./parts.js";
import { sendPhoto } from "./photo.js";
import { Picker } from "./picker.js";
import { padded, post, Refused, send } from "./post.js";
import { ruling } from "./rules.js";
import { canonical, closed, commitment, keep, newSalt, receipt } from "./seal.js";
import { attempt as tryOnce, closePrivate, sheet } from "./sheets.js";
import { _, ngettext } from "./words.js";

const base = byId("seat").dataset.base;
let view = null;
let picker = null;

const live = new Live(base, draw, connection).start();

function draw(next) {
  const before = view;
  view = next;
  if (picker && before && before.moment !== view.moment && !picker.stamped) picker.close();
  drawTable(view);
  if (turn()?.kind === "choose") byId("reveal").classList.remove("fresh");
  section(byId("besides"), besides(), (list) => h("details", {}, h("summary", {}, h("h2", { text: _("You may also") })), plainChoices(list)));
  section(byId("questions"), view.questions.length ? { questions: view.questions, off: inDoubt(view) } : null, drawQuestions);
  section(byId("vote"), view.proposal ? { proposal: view.proposal, you: view.you, seats: view.seats } : null, (data) => drawProposal(data, vote, withdraw));
  if (section(byId("turn"), turn(), drawTurn)) closePrivate();
  byId("hold").textContent = gameOf(view.game).holdWords?.() ?? _("Hold to see my beads");
  byId("reveal-secret").hidden = secret() === null;
  byId("leave").hidden = view.begun;
  for (const id of ["ask", "past", "photo-button"]) byId(id).hidden = !view.begun;
}

// --- what is to do now ------------------------------------------------------------------------------------------

function turn() {
  if (view.over) return { kind: "over" };
  if (!view.begun) return { kind: "lobby", seats: view.seats, range: view.seat_range };
  if (closed(view)) return { kind: "closed" };
  if (view.own_seal && view.moment) return { kind: "sealed", secret: view.own_seal.do, attempt: view.attempt, moment: view.moment };
  if (view.secret && gameOf(view.game).LIMITS?.[view.secret]) return { kind: "seal", secret: view.secret, moment: view.moment };
  if (gameOf(view.game).entries?.[view.phase.code] && view.to_act[0] === "table") return { kind: "enter", what: view.phase.code, camera: view.camera };
  if (view.choices.length || gameOf(view.game).choosesFreely?.(view)) return { kind: "choose", choices: view.choices, table: gameOf(view.game).choosingFrom?.(view) ?? null };
  return null;
}

// What a seat may do out of turn.
function besides() {
  const list = view.begun && !view.over && !closed(view) ? (gameOf(view.game).besides?.(view) ?? []) : [];
  return list.length ? list : null;
}

function drawTurn(now) {
  return { over: drawOver, lobby: drawLobby, seal: drawSeal, sealed: drawSealed, closed: drawClosed, choose: drawChoices, enter: drawEntry }[now.kind](now);
}

function drawLobby({ seats, range }) {
  const sitting = seats.filter((seat) => seat.taken).length;
  const missing = range[0] - sitting;
  const ready = missing <= 0;
  return [
    h("h2", { text: _("Welcome to the table") }),
    h("p", {
      text: ready
        ? _("When everybody has sat down, one of you begins the game.")
        : ngettext("One more player is needed.", "{n} more players are needed.", missing),
    }),
    h("button", {
      type: "button",
      class: "main",
      disabled: !ready,
      text: ngettext("Begin with one player", "Begin with {n} players", Math.max(sitting, range[0])),
      onclick: (event) => attempt(event.target, () => post(`${base}begin`)),
    }),
  ];
}

const drawOver = () =>
  h("button", { type: "button", text: _("Play another game"), onclick: (event) => attempt(event.target, () => post(`${base}again`)) });

function drawSeal({ secret: deed }) {
  const game = gameOf(view.game);
  return [
    h("h2", { text: game.TITLES[deed]() }),
    h("p", { text: game.invitation(deed) }),
    h("button", { type: "button", class: "main", text: game.chooseWords?.() ?? _("Choose beads"), onclick: () => choose(deed) }),
  ];
}

function drawSealed({ secret: deed, moment, attempt: number }) {
  const mine = receipt(view.table, moment, view.you);
  return [
    h("h2", {}, h("span", { class: "wax", "aria-hidden": "true" }), _("Sealed")),
    h("p", { text: _("It stays hidden until everybody has sealed. Then all open at once.") }),
    mine?.attempt === number
      ? h("p", { class: "receipt" }, _("Receipt"), " ", h("code", { text: mine.commitment.slice(0, 8) }), " · ", h("code", { text: (mine.log_head ?? "").slice(0, 8) }))
      : null,
    gameOf(view.game).LIMITS?.[deed] ? h("button", { type: "button", text: _("Change it"), onclick: () => choose(deed) }) : null,
  ];
}

// The moment between the last seal and the opening: whoever likes notes or photographs the codes.
const drawClosed = () => [
  h("h2", {}, h("span", { class: "wax", "aria-hidden": "true" }), _("All have sealed")),
  h("p", { text: _("Nothing can be changed now. The codes below bind everybody; the bids open in a moment.") }),
];

function drawChoices({ choices }) {
  const chooser = gameOf(view.game).chooser(view, choices, act, { ask: (action) => post(`${base}rule`, { action }), ways: (action) => post(`${base}ways`, { action }) });
  return [h("h2", { text: _("It is up to you") }), chooser ?? plainChoices(choices)];
}

// Tap one, then confirm: nothing that counts happens at the first touch.
function plainChoices(choices) {
  let chosen = null;
  const confirm = h("button", { type: "button", class: "main", disabled: true, text: _("Do it"), onclick: () => act(chosen.action) });
  const buttons = choices.map((choice) =>
    h("button", {
      type: "button",
      class: "choice",
      "aria-pressed": "false",
      text: choice.text,
      onclick: (event) => {
        chosen = choice;
        buttons.forEach((button) => button.setAttribute("aria-pressed", String(button === event.target)));
        confirm.disabled = false;
      },
    }),
  );
  return h("div", { class: "choices" }, buttons, confirm);
}

// What lies on the table, entered by hand: the way without a camera, the way out with one.
function drawEntry({ what, camera }) {
  const { entries, entryTitles } = gameOf(view.game);
  const form = entries[what](act, view);
  if (!camera) return [h("h2", { text: entryTitles[what]() }), form];
  return h("details", {}, h("summary", { text: _("Enter the cards by hand") }), form);
}

async function act(action) {
  await attempt(null, async () => {
    const answer = await send(`${base}act`, padded({ action }));
    if (answer.legal === false) sheet(ruling(answer));
  });
}

// --- sealing ----------------------------------------------------------------------------------------------------

function choose(deed) {
  byId("reveal").classList.remove("fresh");
  const game = gameOf(view.game);
  const [least, most] = game.LIMITS[deed];
  picker = new (game.Choice ?? Picker)({
    title: game.TITLES[deed](),
    invitation: game.invitation(deed),
    aside: game.reminder?.(view.state) ?? null,
    hand: game.ownSecret(view),
    least,
    most,
    confirm: _("Seal"),
    done: (chosen) => seal(game.sealedArgs?.(chosen) ?? { beads: chosen }),
    closed: () => (picker = null),
  }).open();
}

// Seal, and keep what the table promised.
async function seal(args) {
  const bid = { table: view.table, game: view.game, moment: view.moment, seat: view.you, attempt: view.attempt + 1, args, salt: newSalt() };
  const made = commitment(bid);
  const body = padded({ moment: bid.moment, attempt: bid.attempt, args: JSON.parse(canonical(args)), salt: bid.salt, commitment: made });
  const answer = await stubbornly(bid, made, () => send(`${base}seal`, body));
  if (answer.legal === false) {
    sheet(ruling(answer));
    throw new Refused("illegal", answer.because);
  }
  keep(bid.table, bid.moment, bid.seat, { commitment: made, attempt: bid.attempt, log_head: answer.log_head });
  picker?.stamp();
  forget(byId("turn"));
  live.refresh();
}

// Try again when the network fails; the same attempt can be taken only once, so this cannot seal twice.
async function stubbornly(bid, made, seal) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await seal();
    } catch (error) {
      if (error instanceof Refused) {
        if (error.code === "csrf") location.reload();
        if (tries && (await taken(bid, made))) return {};
        live.refresh();
        throw error;
      }
      if (tries === 3) throw new Error(_("The table cannot be reached. Your bid was not sealed; try again."));
      await new Promise((wait) => setTimeout(wait, 500 * (tries + 1)));
    }
  }
}

// Whether the table has this bid, though nobody said so: sealed, or open already if it was the last.
async function taken(bid, made) {
  const now = await live.get("view.json");
  const sealed = now.moment === bid.moment && now.attempt === bid.attempt && now.own_seal && canonical(now.own_seal.args) === canonical(bid.args);
  return sealed || now.openings.some((one) => one.moment === bid.moment && one.seat === bid.seat && one.commitment === made);
}

// --- hold to see ------------------------------------------------------------------------------------------------

function secret() {
  const own = view?.begun && !view.over ? gameOf(view.game).ownSecret?.(view) : null;
  return own ? { own, sealed: view.own_seal, said: told(view, true).flatMap((chapter) => chapter.items) } : null;
}

holdToSee(
  byId("hold"),
  () => {
    const found = secret();
    if (!found) return;
    const game = gameOf(view.game);
    byId("secret").replaceChildren(
      ...[game.hand(found.own)].flat(),
      found.said.length ? h("ul", { class: "own plain" }, found.said.map(({ text }) => h("li", { text }))) : "",
      found.sealed ? h("div", { class: "own" }, h("h2", { text: game.TITLES[found.sealed.do]() }), game.secretBeads(found.sealed.args)) : "",
    );
    byId("secret").hidden = false;
  },
  () => {
    byId("secret").hidden = true;
    byId("secret").replaceChildren();
  },
);

// --- questions, rulings, the menu -------------------------------------------------------------------------------

// What the camera does not see as it should lie, while it asks about it.
const inDoubt = (view) => (view.sync.status === "looking" ? view.sync.differences.map((difference) => difference.text) : []);

function drawQuestions({ questions, off }) {
  return questions.map((question) => [
    h("h2", { text: _("The camera asks") }),
    h("p", { text: question.text }),
    off.length ? h("ul", {}, off.map((text) => h("li", { text }))) : null,
    question.picture ? h("img", { src: `/picture/${encodeURIComponent(question.picture)}`, alt: _("What the camera saw") }) : null,
    h(
      "div",
      { class: "choices" },
      question.choices.map((choice, i) =>
        h("button", {
          type: "button",
          class: i ? "choice" : "choice likely",
          text: choice.text,
          onclick: (event) => attempt(event.target, () => post(`${base}answer`, { question: question.id, choice: choice.id })),
        }),
      ),
    ),
  ]);
}

// Do something once, and say so when it does not work; then look how things stand.
async function attempt(button, deed) {
  await tryOnce(button, deed);
  live.refresh();
}

const vote = (rewind, button) => attempt(button, () => post(`${base}vote`, { proposal: view.proposal.id, rewind }));
const withdraw = (button) => attempt(button, () => post(`${base}withdraw`, { proposal: view.proposal.id }));

byId("menu-open").addEventListener("click", () => byId("menu").showModal());
byId("menu").addEventListener("click", (event) => event.target === byId("menu") && byId("menu").close());
byId("menu-close").addEventListener("click", () => byId("menu").close());
byId("leave").addEventListener("click", async (event) => {
  await attempt(event.target, () => post(`${base}leave`));
  location.assign("/j");
});

holdToSee(
  byId("way-back"),
  () => byId("way-back-code").replaceChildren(h("img", { src: `${base}way-back.svg`, alt: _("Code that leads back to this seat") })),
  () => byId("way-back-code").replaceChildren(),
);

byId("ask").addEventListener("click", () => {
  byId("menu").close();
  openAsk(`${base}rule`, () => view, view.you);
});
byId("past").addEventListener("click", () => {
  byId("menu").close();
  openHistory(base, view, true);
});
byId("photo-button").addEventListener("click", () => byId("photo").click());
byId("photo").addEventListener("change", async () => {
  byId("menu").close();
  await sendPhoto(base, byId("photo"));
  live.refresh();
});

blankWhenHidden();
window.addEventListener("pagehide", () => {
  picker?.close();
  closePrivate();
});
