// What this laptop knows of the tables of a round: who sits where, which hand is to be played, and the last row that is counted in
// it. Read from every page and answer that carries it (web/frame/table_facts.py), kept in IndexedDB, in memory where that fails. It is never
// the truth, only what the desk said last; it sends nothing and draws nothing. A table that is known better than before is told as
// "table-learned" on the document.

import "../vendor/idb-8.0.4/idb.umd.js"; // puts "idb" on the window

const NAME = "hanchan-tables";
const TABLES = "tables";
const OLD = 2 * 24 * 3_600_000;

const memory = new Map();
const keyOf = ({ event, round, table }) => `${event} ${round} ${table}`;
const opened = open();

async function open() {
  try {
    const db = await globalThis.idb.openDB(NAME, 1, {
      upgrade: (fresh) => { fresh.createObjectStore(TABLES, { keyPath: "key" }); },
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

// Keeps what the desk said at a moment of this laptop's clock: {event, round, numbers, tables: [{table, seq, …}]}.
export async function learn(said, at = Date.now()) {
  if (!said?.tables) return;
  const { event, round, numbers } = said;
  const fresh = said.tables.map((each) => ({ ...each, event, round, numbers, at, key: keyOf({ event, round, table: each.table }) }));
  const kept = [];
  for (const each of fresh) if (isNewer(each, memory.get(each.key))) { memory.set(each.key, each); kept.push(each); }
  for (const each of kept) document.dispatchEvent(new CustomEvent("table-learned", { detail: each }));
  try {
    const db = await opened;
    if (!db) return;
    const transaction = db.transaction(TABLES, "readwrite");
    for (const each of kept) if (isNewer(each, await transaction.store.get(each.key))) await transaction.store.put(each);
    await transaction.done;
  } catch { /* the disk is full: this page still knows */ }
}

// Returns what is known of a table {event, round, table}, or null.
export async function recall(place) {
  const here = memory.get(keyOf(place)) || null;
  try {
    const stored = await (await opened)?.get(TABLES, keyOf(place));
    return stored && isNewer(stored, here) ? stored : here;
  } catch {
    return here;
  }
}

// Reads the facts that stand on the page.
function read() {
  const node = document.getElementById("table-facts");
  if (!node || node.wasRead) return;
  node.wasRead = true;
  learn(JSON.parse(node.textContent));
}

document.addEventListener("htmx:afterSettle", read);
read();
