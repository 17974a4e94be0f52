// @ts-check
// What this laptop knows of the tables of a round: who sits where, which hand is next, and the last row that is counted in it. Read
// from every page and answer that has it (tournament/pages/tables.py), kept in IndexedDB, in memory if that fails. It is what the desk said
// last, which may be old. Says "table-learned" on the document when it knows more of a table.

import "../vendor/idb-8.0.4/idb.umd.js"; // puts "idb" on the window
import { keyOf } from "./outbox_store.js";

const NAME = "hanchan-tables";
const TABLES = "tables";
const OLD = 2 * 24 * 3_600_000;

const memory = new Map();
const opened = open();

async function open() {
  try {
    const db = await globalThis.idb.openDB(NAME, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore(TABLES, { keyPath: "key" });
      },
      blocking: (_old, _new, event) => event.target.close(),
    });
    await forgetOld(db);
    return db;
  } catch {
    return null;
  }
}

async function forgetOld(db) {
  const transaction = db.transaction(TABLES, "readwrite");
  for (const each of await transaction.store.getAll()) if (each.at < Date.now() - OLD) await transaction.store.delete(each.key);
  await transaction.done;
}

const isNewer = (fresh, old) => !old || fresh.seq > old.seq || (fresh.seq === old.seq && fresh.at >= old.at);

// Keeps what the desk said, {event, round, numbers, tables: [{table, seq, …}]}, at a moment of this laptop's clock.
export async function learn(said, at = Date.now()) {
  if (!said?.tables) return;
  const { event, round, numbers } = said;
  const fresh = said.tables.map((each) => ({ ...each, event, round, numbers, at, key: keyOf({ event, round, table: each.table }) }));
  const kept = fresh.filter((each) => isNewer(each, memory.get(each.key)));
  for (const each of kept) memory.set(each.key, each);
  for (const each of kept) document.dispatchEvent(new CustomEvent("table-learned", { detail: each }));
  try {
    const db = await opened;
    if (!db) return;
    const transaction = db.transaction(TABLES, "readwrite");
    for (const each of kept) if (isNewer(each, await transaction.store.get(each.key))) await transaction.store.put(each);
    await transaction.done;
  } catch {
    /* the disk is full: this page still knows */
  }
}

// Returns what is known of a table {event, round, table}, or null.
export async function recall(place) {
  const known = memory.get(keyOf(place)) || null;
  try {
    const stored = await (await opened)?.get(TABLES, keyOf(place));
    return stored && isNewer(stored, known) ? stored : known;
  } catch {
    return known;
  }
}

let wasRead = null;

// Reads the facts on the page.
function read() {
  const node = document.getElementById("table-facts");
  if (!node || node === wasRead) return;
  wasRead = node;
  learn(JSON.parse(node.textContent));
}

document.addEventListener("htmx:afterSettle", read);
read();
