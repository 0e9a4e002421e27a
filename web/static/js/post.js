// Send something to the table; answers are JSON, refusals are errors with a sentence for people.

export class Refused extends Error {
  constructor(code, text) {
    super(text);
    this.code = code;
  }
}

const token = document.querySelector("meta[name=csrf]")?.content ?? "";
const SEALED_LENGTH = 1024; // characters of every sealed bid's body, whatever it says

export async function post(address, data = {}) {
  return send(address, JSON.stringify(data));
}

// The same length for every bid: nobody on the network learns how many beads it has.
export function padded(data) {
  const bare = JSON.stringify({ ...data, pad: "" });
  return JSON.stringify({ ...data, pad: "x".repeat(Math.max(0, SEALED_LENGTH - bare.length)) });
}

const PHOTO_PATIENCE = 60000; // ms: sending takes time, and so does reading

export const sendFile = (address, file) => send(address, file, PHOTO_PATIENCE, file.type === "image/png" ? "image/png" : "image/jpeg");

export async function send(address, body, patience = 8000, kind = "application/json") {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), patience);
  try {
    const response = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": kind, "X-CSRF-Token": token },
      body,
      cache: "no-store",
      signal: stop.signal,
    });
    if (!response.headers.get("Content-Type")?.startsWith("application/json")) return response;
    const answer = await response.json();
    if (!response.ok) throw new Refused(answer.error, answer.text);
    return answer;
  } finally {
    clearTimeout(timer);
  }
}
