// Sealed decisions: the commitment, the receipts this device keeps, and the check after everything is open.
//
// C = SHA-256 over fields, each its length (4 bytes, big-endian) and then its bytes: the domain, table, game, moment,
// seat, attempt, the arguments as canonical JSON, and a salt of 32 random bytes.

import { sha256 } from "../vendor/sha256.js";

const DOMAIN = "companion-bid-v1";
const KEPT = 60; // receipts

// JSON of which there is only one spelling: sorted keys, no spaces, ASCII.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const keys = Object.keys(value).sort(byCodePoint);
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

function byCodePoint(a, b) {
  const [left, right] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
    if (left[i] !== right[i]) return left[i].codePointAt(0) - right[i].codePointAt(0);
  }
  return left.length - right.length;
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));

export const newSalt = () => toHex(crypto.getRandomValues(new Uint8Array(32)));

export function commitment({ table, game, moment, seat, attempt, args, salt }) {
  const text = new TextEncoder();
  const fields = [DOMAIN, table, game, moment, String(seat), String(attempt), canonical(args)].map((t) => text.encode(t));
  fields.push(fromHex(salt));
  const message = new Uint8Array(fields.reduce((sum, field) => sum + 4 + field.length, 0));
  const view = new DataView(message.buffer);
  let at = 0;
  for (const field of fields) {
    view.setUint32(at, field.length, false);
    message.set(field, at + 4);
    at += 4 + field.length;
  }
  return toHex(sha256(message));
}

// Receipts: what this device was promised. They hold commitments only, so whoever reads them learns no bid.
const PREFIX = "receipt:";

export function keep(table, moment, seat, receipt) {
  const kept = receipts();
  kept[`${table}:${moment}:${seat}`] = { ...receipt, at: Date.now() };
  const newest = Object.entries(kept).sort((a, b) => b[1].at - a[1].at).slice(0, KEPT);
  try {
    localStorage.setItem(PREFIX, JSON.stringify(Object.fromEntries(newest)));
  } catch {
    // A browser that keeps nothing (private mode, full): the table's own log still holds every receipt.
  }
}

export function receipt(table, moment, seat) {
  return receipts()[`${table}:${moment}:${seat}`] ?? null;
}

function receipts() {
  try {
    return JSON.parse(localStorage.getItem(PREFIX)) ?? {};
  } catch {
    return {};
  }
}

// All commitments stand open for a moment before anything opens; this page remembers them by itself.
let witnessed = { moment: null, commitments: [] };

export const closed = (view) => view.commitments.length > 0 && view.openings.length === 0;

export function witness(view) {
  if (closed(view)) witnessed = { moment: view.moment, commitments: view.commitments };
}

// An own opening beside what this device was promised; "later" when another device, or one whose answer got lost,
// sealed once more since.
function compare(opening, computed, promised) {
  if (!promised) return "none";
  if (opening.attempt > promised.attempt) return "later";
  return opening.attempt === promised.attempt && promised.commitment === computed ? "fits" : "wrong";
}

// Whether every opening is what was sealed: {checked, wrong: [seats], mine: "fits" | "wrong" | "later" | "none"}.
export function check(view) {
  const wrong = new Set();
  let mine = "none";
  for (const opening of view.openings) {
    const computed = commitment({ ...opening, table: view.table, game: view.game });
    const published = view.commitments[opening.seat] ?? opening.commitment;
    const seen = witnessed.moment === opening.moment ? witnessed.commitments[opening.seat] : published;
    if ([opening.commitment, published, seen].some((one) => one !== computed)) wrong.add(opening.seat);
    if (opening.seat === view.you) {
      mine = compare(opening, computed, receipt(view.table, opening.moment, opening.seat));
      if (mine === "wrong") wrong.add(opening.seat);
    }
  }
  return { checked: view.openings.length, wrong: [...wrong], mine };
}
