// The demo: camera, board and phones of one table side by side; a person may take over a seat.

import { byId, h, section } from "./dom.js";
import { gameOf } from "./games.js";
import { Live } from "./live.js";
import { connection, drawTable, openScores, Picture } from "./parts.js";
import { post } from "./post.js";
import { attempt } from "./sheets.js";
import { _ } from "./words.js";

const camera = new Picture(byId("picture"), "/picture/table");
const board = new Picture(byId("board"), "/board/800x480.png");
let status = { bots: [], held: [], paused: false, speed: 1, mine: {} };
let view = null;

function draw(next) {
  view = next;
  drawTable(view);
  camera.refresh();
  board.refresh();
  drawPhones();
}

async function ask() {
  try {
    status = await (await fetch("/demo/status.json", { cache: "no-store" })).json();
    drawPace();
    drawPhones();
  } catch {
    // the connection's own notice tells people
  }
}

function drawPhones() {
  if (!view) return;
  const guest = byId("phone-guest") ?? byId("phones").appendChild(h("li", { id: "phone-guest", class: "handset" }));
  const playing = Object.keys(status.mine).length > 0;
  section(guest, playing ? null : "guest", () => h("iframe", { src: "/look", title: _("A guest's phone") }));
  for (const { seat, name } of view.seats) {
    const node = byId(`phone-${seat}`) ?? byId("phones").appendChild(h("li", { id: `phone-${seat}`, class: "handset" }));
    const place = Object.keys(status.mine).find((p) => status.mine[p] === seat) ?? null;
    const kind = place ? "mine" : status.bots.includes(seat) ? "bot" : status.held.includes(seat) ? "person" : "gone";
    const state = view.sealed[seat] && view.moment ? "sealed" : view.to_act.includes(seat) ? "due" : "idle";
    const total = openScores(view).find((s) => s.seat === seat)?.total ?? 0;
    section(node, place ? { kind, place, name } : { kind, name, state, total, begun: view.begun }, () => (place ? ownPhone(place, name) : otherPhone(seat, name, kind, state, total)));
  }
}

const ownPhone = (place, name) => [
  h("iframe", { src: `/seat/${place}/`, title: _("The phone of {name}", { name }) }),
  h("button", { type: "button", text: _("Give it back to the bot"), onclick: () => change(`/demo/give/${place}`) }),
];

function otherPhone(seat, name, kind, state, total) {
  const points = gameOf(view.game).points(total);
  const says = { sealed: _("has sealed"), due: _("still chooses"), idle: _("looks on") }[state];
  return [
    h(
      "div",
      { class: `screen ${state}` },
      h("span", { class: "wax", "aria-hidden": "true" }),
      h("h3", { text: name ?? _("free") }),
      h("span", { class: "points", role: "img", "aria-label": points.label }, points.sign, h("b", { text: points.count })),
      h("p", { class: "says", text: says }),
      h("p", { class: "kind", text: kind === "bot" ? _("played by a bot") : _("played on another device") }),
      kind === "person"
        ? null
        : h(
            "div",
            { class: "actions" },
            h("button", { type: "button", class: "main", text: _("Play here"), onclick: () => change(`/demo/take/${seat}`) }),
            h("button", { type: "button", text: _("On a phone"), onclick: () => attempt(null, () => showCode(seat)) }),
          ),
    ),
  ];
}

async function change(address) {
  await attempt(null, () => post(address));
  await ask();
}

async function showCode(seat) {
  const answer = await post(`/demo/card/${seat}`);
  const address = URL.createObjectURL(await answer.blob());
  const dialog = h(
    "dialog",
    { class: "sheet" },
    h("h2", { text: _("Scan this with your phone") }),
    h("img", { class: "code", src: address, alt: _("Code that leads to this seat") }),
    h("div", { class: "actions" }, h("button", { type: "button", class: "main", text: _("Close"), onclick: () => dialog.close() })),
  );
  dialog.addEventListener("close", () => {
    URL.revokeObjectURL(address);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  ask();
}

function drawPace() {
  byId("pause").textContent = status.paused ? _("Go on") : _("Pause");
  byId("pause").setAttribute("aria-pressed", String(status.paused));
  const speeds = byId("speed");
  const next = [...speeds.options].find((option) => Number(option.value) >= status.speed) ?? null;
  if (Number(next?.value) !== status.speed) speeds.add(h("option", { value: status.speed, text: `${status.speed} ×` }), next);
  speeds.value = String(status.speed);
}

const pace = (paused, speed) => post("/demo/pace", { paused, speed }).then(ask, () => location.reload());
byId("pause").addEventListener("click", () => pace(!status.paused, status.speed));
byId("speed").addEventListener("change", (event) => pace(status.paused, Number(event.target.value)));

new Live("/", draw, connection).start();
ask();
setInterval(ask, 3000);
setInterval(() => camera.refresh(), 700);
setInterval(() => board.refresh(), 2000);
