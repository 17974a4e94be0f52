// @ts-check
// The way to the desk: posts a hand as its form would, fetches a page, and knows whether the desk answers. Every module that asks the
// desk says "desk-answers" or "desk-silent" on the document.

const LONGEST = 20_000; // then an answer counts as lost; the client_id makes sending again safe
const LONGEST_SIGN = 1200; // for a sign of life: a slower network is no network for a referee who types
const LONGEST_SIGN_SILENT = 300; // if nothing was heard before either

function cookie(name) {
  const found = document.cookie.split("; ").find((part) => part.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

// The cookie's token is newer than the page's where somebody has signed in in another tab. If that is another account, the desk takes
// nothing of this page: it names its own.
export function headers() {
  const onPage = JSON.parse(document.body.getAttribute("hx-headers") || "{}");
  const account = document.getElementById("outbox")?.dataset.account;
  return { Accept: "application/json", "X-CSRFToken": cookie("csrftoken") || onPage["X-CSRFToken"] || "", "X-Account": account ?? "" };
}

// Plain http has no crypto.randomUUID.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join("-");
}

function bodyOf(record, stamp, together) {
  if (together.length) {
    const acts = together.map(({ client_id, fields }) => [client_id, Object.fromEntries(fields)]);
    return new URLSearchParams({ acts: JSON.stringify(acts) });
  }
  const body = new URLSearchParams(record.fields);
  body.set("client_id", record.client_id);
  body.set("expected_seq", record.base ?? 0);
  if (stamp) body.set("stamp", stamp);
  return body;
}

async function kindOf(response) {
  const { status } = response;
  if (response.type === "opaqueredirect" || status === 401 || status === 403) return { kind: "signed-out" };
  if (status >= 500 || status === 429) return { kind: "later" };
  const answer = (response.headers.get("Content-Type") || "").includes("json") ? await response.json() : null;
  if (status < 400) return Number.isInteger(answer?.seq) ? { kind: "done", answer } : { kind: "silent" }; // a hotel's page is no answer
  const said = answer || { problems: [], between: [] };
  return { kind: status === 409 ? "moved" : "refused", answer: said };
}

// Returns {kind: "done" | "refused" | "moved" | "signed-out" | "later" (an error of the desk) | "silent", answer}.
// `stamp` is that of the page that shows the table, "" for none: it asks for what the hand changes there; `together` are the acts that go out in one request, of which `record` is the first.
export async function send(record, stamp, together = []) {
  const answered = await post(record, stamp, together);
  tell(answered.kind !== "silent");
  return answered;
}

async function post(record, stamp, together) {
  const stop = new AbortController();
  const limit = setTimeout(() => stop.abort(), LONGEST);
  try {
    const response = await fetch(record.action, {
      method: "POST",
      body: bodyOf(record, stamp, together),
      headers: { ...headers(), ...(stamp && { "HX-Request": "true" }) },
      credentials: "same-origin",
      redirect: "manual",
      cache: "no-store",
      signal: stop.signal,
    });
    return await kindOf(response);
  } catch {
    return { kind: "silent" };
  } finally {
    clearTimeout(limit);
  }
}

// Returns the problems of acts that went out together, by client_id, from the answer to them; a refusal is of them all.
export function problemsOf(records, kind, answer, unknown) {
  if (kind === "done") return new Map(answer.answers.map((each) => [each.client_id, each.problems]));
  const said = answer.problems?.length ? answer.problems : [unknown];
  return new Map(records.map((record) => [record.client_id, said]));
}

// Returns the fragment of the table whose page this is, or "" where the desk does not answer.
export async function fetchPage(action) {
  try {
    const response = await fetch(action, { headers: { "HX-Request": "true" }, redirect: "manual", cache: "no-store" });
    return response.ok ? await response.text() : "";
  } catch {
    return "";
  }
}

// ------------------------------------------------ whether the desk answers

let silent = false;

document.addEventListener("desk-answers", () => {
  silent = false;
});
document.addEventListener("desk-silent", () => {
  silent = true;
});
addEventListener("offline", () => document.dispatchEvent(new Event("desk-silent")));

// Returns whether the last question to the desk had no answer.
export const isSilent = () => silent;

// Asks the desk for a sign of life; false if none comes in time. `late` is called if it comes later.
export async function answers(late = () => {}) {
  const url = document.body.dataset.versionUrl;
  if (!url) return true;
  const asked = fetch(url, { cache: "no-store", credentials: "same-origin" }).then(
    () => true,
    () => false,
  );
  const slow = new Promise((resolve) => setTimeout(resolve, silent ? LONGEST_SIGN_SILENT : LONGEST_SIGN, null));
  const found = await Promise.race([asked, slow]);
  if (found === null)
    asked.then((came) => {
      if (came) tell(true, late);
    });
  tell(found === true);
  return found === true;
}

function tell(isThere, then = () => {}) {
  document.dispatchEvent(new Event(isThere ? "desk-answers" : "desk-silent"));
  then();
}
