// @ts-check
// Where hands wait: IndexedDB, so that neither a closed laptop nor a reload loses one. No network and no page here.
//
// Several tabs share it. Every change is one transaction over the records of that moment, so that two tabs with the same answer do no
// harm.

import "../vendor/idb-8.0.4/idb.umd.js"; // puts "idb" on the window

/**
 * A table of a round of an event.
 * @typedef {{ event: string, round: number, table: number }} Place
 *
 * A hand that waits. `n` is its place in the order of this laptop, `base` the last row of the table that its typist had seen, `after`
 * the `n` of the hand of the same table that goes out before it, `last_seq` the last row that the desk had when it refused.
 * @typedef {Place & {
 *   n?: number, client_id: string, action: string, fields: [string, string][], account: string, who: string,
 *   base: number | null, after?: number | null, last_seq?: number, typed_at: string, state: "waiting" | "refused" | "moved",
 *   problems: string[], between: string[], line: string, said: string, kind: "hand" | "correction",
 * }} HandRecord
 *
 * What a transaction puts, drops (by `n`) and answers.
 * @typedef {{ put?: HandRecord[], drop?: number[], answer?: any }} Change
 */

const NAME = "hanchan-outbox";
const HANDS = "hands";
const MEMORY = 1e12; // numbers from here on are records that could not be written down
const LONGEST_OPENING = 8000; // a slow disk is not a missing one: it is used as soon as it opens

/** @param {Place} place */
export const keyOf = ({ event, round, table }) => `${event} ${round} ${table}`;

/** @param {Place | null} one @param {Place | null} other */
export const sameTable = (one, other) => Boolean(one && other) && keyOf(one) === keyOf(other);

/**
 * Return the hand that goes out next: the first of this account that waits behind no other, at none of the tables of `silent`.
 * @param {HandRecord[]} records
 * @param {string} account
 * @param {Place[]} silent
 */
export function nextOf(records, account, silent = []) {
  const isFree = (record) => record.state === "waiting" && record.account === account && !record.after;
  return records.find((record) => isFree(record) && !silent.some((place) => sameTable(place, record)));
}

const tooLong = () => new Promise((_resolve, reject) => setTimeout(reject, LONGEST_OPENING, new Error("slow")));

export class Store {
  constructor() {
    this.db = null;
    this.memory = [];
    this.seen = []; // the records as last read
  }

  // Returns whether records can be kept here; calls `late` if the disk opens only afterwards.
  async open(late) {
    let isLate = false;
    try {
      const opening = this.#opened();
      opening.then(() => isLate && late()).catch(() => {});
      await Promise.race([opening, tooLong()]);
    } catch {
      isLate = true;
    }
    return this.db !== null;
  }

  async #opened() {
    const db = await globalThis.idb.openDB(NAME, 1, {
      upgrade: (fresh) => {
        fresh.createObjectStore(HANDS, { keyPath: "n", autoIncrement: true });
      },
      blocking: (_old, _new, event) => event.target.close(),
      terminated: () => {
        this.db = null;
      },
    });
    this.db = db;
  }

  get unsafe() {
    return this.memory.length > 0;
  }

  async all() {
    return this.edit((records) => ({ answer: records }));
  }

  // Adds a hand behind the others of its table, and waits for the disk.
  async add(record) {
    const added = (records) => {
      const before = records.filter((each) => sameTable(each, record)).at(-1);
      return { put: [before ? { ...record, after: before.n, base: null } : { ...record, after: null }] };
    };
    return this.edit(added, { sure: true });
  }

  // Changes a record that is still there; returns whether it was.
  async change(n, how, sure = false) {
    return this.edit(
      (records) => {
        const found = records.find((each) => each.n === n);
        return { put: found ? [how(found)] : [], answer: Boolean(found) };
      },
      { sure },
    );
  }

  // Removes a hand that the desk has written: the hand behind it has seen its row.
  async done(n, seq) {
    return this.#leave(n, () => ({ after: null, base: seq }));
  }

  // Removes a hand that was thrown away: the hand behind it takes its place.
  async drop(n) {
    return this.#leave(n, (gone) => ({ after: gone.after, base: gone.base ?? gone.last_seq ?? 0 }));
  }

  #leave(n, inherit) {
    return this.edit((records) => {
      const gone = records.find((each) => each.n === n);
      const behind = gone ? records.filter((each) => each.after === n) : [];
      return { put: behind.map((each) => ({ ...each, ...inherit(gone) })), drop: gone ? [n] : [], answer: Boolean(gone) };
    });
  }

  /**
   * Run one transaction; `work` gets all records in order.
   * @param {(records: HandRecord[]) => Change} work
   */
  async edit(work, { sure = false } = {}) {
    try {
      if (this.db) return await this.#written(work, sure);
    } catch {
      // the disk is full, or the browser has closed the store: keep the hand in memory; the page warns
    }
    const kept = [...this.seen.filter((each) => each.n < MEMORY), ...this.memory];
    const { put = [], drop = [], answer } = work(kept);
    for (const record of put) this.#remember(record);
    this.memory = this.memory.filter((each) => !drop.includes(each.n));
    this.seen = [...kept.filter((each) => each.n < MEMORY && !drop.includes(each.n)), ...this.memory];
    return answer ?? put[0]?.n;
  }

  async #written(work, sure) {
    const transaction = this.db.transaction(HANDS, "readwrite", sure ? { durability: "strict" } : {});
    const records = [...(await transaction.store.getAll()), ...this.memory];
    const { put = [], drop = [], answer } = work(records);
    for (const record of put) {
      if (record.n >= MEMORY) this.#remember(record);
      else record.n = await transaction.store.put(record);
    }
    for (const n of drop) await transaction.store.delete(n);
    this.memory = this.memory.filter((each) => !drop.includes(each.n));
    const seen = put.length || drop.length ? [...(await transaction.store.getAll()), ...this.memory] : records;
    await transaction.done;
    this.seen = seen;
    return answer ?? put[0]?.n;
  }

  #remember(record) {
    const at = this.memory.findIndex((each) => each.n === record.n);
    record.n ??= (this.memory.at(-1)?.n ?? MEMORY) + 1;
    if (at < 0) this.memory.push(record);
    else this.memory[at] = record;
  }
}

// ------------------------------------------------ the rows that hands of this tab became

// A hand typed on a page made before such a row may follow it: its typist saw that hand wait. Kept with the tab, for a reload can be
// quicker than the answer and then shows the table without the row.

const ROWS = "hanchan-own-rows";
const MOST_ROWS = 200; // no page lives as long
const rowsInMemory = new Map();

const nameOf = (place, seq) => `${keyOf(place)} ${seq}`;

function loadRows() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(ROWS)) || []);
  } catch {
    return rowsInMemory; // no storage: for this page only
  }
}

function saveRows(rows) {
  const kept = [...rows].slice(-MOST_ROWS);
  for (const [name, seq] of kept) rowsInMemory.set(name, seq);
  try {
    sessionStorage.setItem(ROWS, JSON.stringify(kept));
  } catch {
    // no storage: for this page only
  }
}

/**
 * Remember that a hand of the table, typed behind row `base`, became row `seq`.
 * @param {Place} place
 * @param {number} base
 * @param {number} seq
 */
export function becameRow(place, base, seq) {
  if (seq > base) saveRows(loadRows().set(nameOf(place, base), seq));
}

/**
 * Return the last row that follows row `base` with only rows of this tab between.
 * @param {Place} place
 * @param {number} base
 */
export function lastOwnRow(place, base) {
  const rows = loadRows();
  let seq = base;
  while (rows.has(nameOf(place, seq))) seq = rows.get(nameOf(place, seq));
  return seq;
}
