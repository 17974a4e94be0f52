// @ts-check
// This phone keeps the newest head of an event's record that it has seen, and compares it with the one that it gets: the newer record
// must contain the older one, which the server proves: then "Result unchanged" is shown. Where it does not, the phone says so in words,
// and keeps the old head.
//
// <div data-record="/api/v1/events/cup/record" data-size="412" data-root="9f…" data-words="…" data-broken="… {time} … {words}">

import { isConsistent } from "./record_proof.js";

const LIMIT = 10_000;

const keyOf = (box) => `record ${box.dataset.record}`;

function kept(box) {
  try {
    const found = JSON.parse(localStorage.getItem(keyOf(box)) ?? "null");
    return found?.size > 0 && typeof found.root === "string" ? found : null;
  } catch {
    return null;
  }
}

function keep(box, head) {
  try {
    const { size, root, words } = head;
    localStorage.setItem(keyOf(box), JSON.stringify({ size, root, words, at: Date.now() }));
  } catch {
    // a browser that keeps nothing compares nothing
  }
}

function say(box, head) {
  const time = new Date(head.at).toLocaleString(document.documentElement.lang, { dateStyle: "short", timeStyle: "short" });
  const note = document.createElement("p");
  note.className = "note is-error";
  note.setAttribute("role", "alert");
  note.textContent = box.dataset.broken.replace("{time}", time).replace("{words}", head.words);
  box.querySelector(".note")?.remove();
  box.prepend(note);
}

function showUnchanged(box) {
  box.querySelector("[data-record-open]").hidden = true;
  box.querySelector("[data-record-same]").hidden = false;
}

async function compare(box) {
  const mine = kept(box);
  const shown = { size: Number(box.dataset.size), root: box.dataset.root, words: box.dataset.words };
  if (!mine) {
    keep(box, shown);
    return;
  }
  if (mine.size === shown.size && mine.root === shown.root) {
    showUnchanged(box);
    return;
  }
  try {
    const response = await fetch(`${box.dataset.record}?from=${mine.size}`, { cache: "no-store", signal: AbortSignal.timeout?.(LIMIT) });
    if (!response.ok) return; // the page that is shown says more than a server that does not answer
    const { head, consistency } = await response.json();
    if (head && isConsistent(mine.size, head.size, mine.root, head.root, consistency)) {
      keep(box, head);
      showUnchanged(box);
    } else say(box, mine);
  } catch {
    // without a network nothing is compared
  }
}

function look() {
  for (const box of document.querySelectorAll("[data-record]")) {
    if (box.dataset.compared) continue;
    box.dataset.compared = "yes";
    compare(box);
  }
}

look();
const main = document.getElementById("main");
if (main) new MutationObserver(look).observe(main, { childList: true, subtree: true }); // live_fragment.js swaps the part
