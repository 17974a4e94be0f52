// @ts-check
// Where hands wait: IndexedDB, so that neither a closed laptop nor a reload loses one. No network and no page here.
//
// Several tabs share it. Every change is one transaction over the records of that moment, so that two tabs with the same answer do no
// harm.

import "../vendor/idb-8.0.4/idb.umd.js"; // puts "idb" on the window

/**
 * A table of a round of an event. A `lane` names what else acts follow each other at, such as one player's check-in; it has round and
 * table 0.
 * @typedef {{ event: string, round: number, table: number, lane?: string }} Place
 *
 * A hand that waits. `n` is its place in the order of this laptop, `base` the last row of the table that its typist had seen, `after`
 * the `n` of the hand of the same table that goes out before it, `last_seq` the last row that the desk had when it refused.
 * @typedef {Place & {
 *   n?: number, client_id: string, action: string, fields: [string, string][], account: string, who: string,
 *   base: number | null, after?: number | null, last_seq?: number, typed_at: string, state: "waiting" | "refused" | "moved",
 *   problems: string[], between: string[], line: string, said: string, kind: "hand" | "correction" | "tick" | "ready", title?: string,
 * }} HandRecord
 *
 * What a transaction puts, drops (by `n`) and answers.
 * @typedef {{ put?: HandRecord[], drop?: number[], answer?: any }} Change
 */

const NAME = "hanchan-outbox";
const HANDS = "hands";
const MEMORY = 1e12; // numbers from here on are records that could not be written down
const MAX_TOGETHER = 50; // acts of one request: tournament/pages/requests.py
const LONGEST_OPENING = 8000; // a slow disk is not a missing one: it is used as soon as it opens

/** @param {Place} place */
export const keyOf = ({ event, round, table, lane }) => (lane ? `${event} ${lane}` : `${event} ${round} ${table}`);

/** @param {Place | null} one @param {Place | null} other @returns {boolean} */
export const sameTable = (one, other) => one !== null && other !== null && keyOf(one) === keyOf(other);

/**
 * Return the hand that goes out next: the first of this account that waits behind no other, at none of the tables of `silent`.
 * @param {HandRecord[]} records
 * @param {string} account
 * @param {Place[]} silent
 */
export function nextOf(records, account, silent = []) {
  /** @param {HandRecord} record */
  const isFree = (record) => record.state === "waiting" && record.account === account && !record.after;
  return records.find((record) => isFree(record) && !silent.some((place) => sameTable(place, record)));
}

/** Tells hands and sheets, one request each, from acts, which go out together. @param {HandRecord} record */
export const isAct = (record) => Boolean(record.lane);

/**
 * Return the acts that go out in one request with the first of them, in order; a hand goes out alone.
 * @param {HandRecord[]} records
 * @param {HandRecord} first
 */
export function togetherWith(records, first) {
  if (!isAct(first)) return [first];
  /** @type {HandRecord[]} */
  const batch = [];
  const from = records.filter((each) => (each.n ?? 0) >= (first.n ?? 0) && isAct(each) && each.action === first.action);
  for (const each of from) {
    const follows = !each.after || batch.some((other) => other.n === each.after);
    if (each.state === "waiting" && each.account === first.account && follows && batch.length < MAX_TOGETHER) batch.push(each);
  }
  return batch;
}

/** What a record has that nobody has refused. */
export const WAITING = { state: /** @type {const} */ ("waiting"), problems: [], between: [] };

/** @param {HandRecord} record @param {string[]} problems @returns {HandRecord} */
const refusedAs = (record, problems) => ({ ...record, state: "refused", problems });

/** A hand that was refused, or typed under another account, waits for a person. @param {HandRecord} record @param {string} account */
export const needsPerson = (record, account) => record.state !== "waiting" || record.account !== account;

/**
 * Return a record with what was typed again in its place; its typist has seen the rows up to the refusal.
 * @param {HandRecord} old
 * @param {HandRecord} fresh
 * @returns {HandRecord}
 */
export function changedTo(old, { fields, line, said, typed_at, account, who, base }) {
  return { ...old, fields, line, said, typed_at, account, who, ...WAITING, base: Math.max(base ?? 0, old.last_seq || 0) };
}

/**
 * Return a record that is sent again as it is; a hand that others have overtaken now follows their rows.
 * @param {HandRecord} record
 * @param {string} account
 * @returns {HandRecord}
 */
export function sentAgain(record, account) {
  return { ...record, ...WAITING, account, base: record.state === "moved" ? (record.last_seq ?? 0) : record.base };
}

/** Count the hands of each table, and those of them that need a person. @param {HandRecord[]} records @param {string} account */
export function waitingByTable(records, account) {
  const tables = new Map();
  for (const record of records.filter((each) => !isAct(each))) {
    const { event, round, table } = record;
    const sum = tables.get(keyOf(record)) || { event, round, table, waiting: 0, refused: 0 };
    sum.waiting += 1;
    sum.refused += needsPerson(record, account) ? 1 : 0;
    tables.set(keyOf(record), sum);
  }
  return [...tables.values()];
}

const tooLong = () => new Promise((_resolve, reject) => setTimeout(reject, LONGEST_OPENING, new Error("slow")));

export class Store {
  /** @type {any} */
  db = null;
  /** @type {HandRecord[]} those that could not be written down, as changed since */
  memory = [];
  /** @type {HandRecord[]} as last read */
  seen = [];

  /** Return whether records can be kept here; call `late` if the disk opens only afterwards. @param {() => void} late */
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
    const db = await idb.openDB(NAME, 1, {
      upgrade: (/** @type {any} */ fresh) => fresh.createObjectStore(HANDS, { keyPath: "n", autoIncrement: true }),
      blocking: (/** @type {any} */ _old, /** @type {any} */ _new, /** @type {any} */ event) => event.target.close(),
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

  /** Add a hand behind the others of its table, and wait for the disk; returns its `n`. @param {HandRecord} record */
  async add(record) {
    const work = (/** @type {HandRecord[]} */ records) => {
      const before = records.filter((each) => sameTable(each, record)).at(-1);
      return { put: [before ? { ...record, after: before.n, base: null } : { ...record, after: null }] };
    };
    return this.edit(work, { sure: true });
  }

  /** Change a record; returns whether it is still there. @param {number} n @param {(old: HandRecord) => HandRecord} how */
  async change(n, how, sure = false) {
    return this.edit(
      (records) => {
        const found = records.find((each) => each.n === n);
        return { put: found ? [how(found)] : [], answer: Boolean(found) };
      },
      { sure },
    );
  }

  /** Remove a hand that the desk has written: the hand behind it has seen its row. @param {number} n @param {number} seq */
  async done(n, seq) {
    return this.#leave(n, () => ({ after: null, base: seq }));
  }

  /**
   * Note the answer to acts that went out together: those without problems go, the others wait for a person.
   * @param {HandRecord[]} sent
   * @param {Map<string, string[]>} problems by `client_id`
   */
  async answered(sent, problems) {
    const said = new Map(sent.map((each) => [each.n, problems.get(each.client_id) ?? []]));
    return this.edit((records) => {
      const gone = records.filter((each) => said.get(each.n)?.length === 0).map((each) => each.n ?? 0);
      /** @type {HandRecord[]} */
      const put = records
        .filter((each) => !gone.includes(each.n ?? 0))
        .flatMap((each) => {
          const found = said.get(each.n);
          if (found) return [refusedAs(each, found)];
          return gone.includes(each.after ?? 0) ? [{ ...each, after: null }] : [];
        });
      return { put, drop: gone, answer: gone };
    });
  }

  /** Remove a hand that was thrown away: the hand behind it takes its place. @param {number} n */
  async drop(n) {
    return this.#leave(n, (gone) => ({ after: gone.after, base: gone.base ?? gone.last_seq ?? 0 }));
  }

  /** @param {number} n @param {(gone: HandRecord) => Partial<HandRecord>} inherit */
  #leave(n, inherit) {
    return this.edit((records) => {
      const gone = records.find((each) => each.n === n);
      if (!gone) return { answer: false };
      const behind = records.filter((each) => each.after === n);
      return { put: behind.map((each) => ({ ...each, ...inherit(gone) })), drop: [n], answer: true };
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
    const { put = [], drop = [], answer } = work(this.#joined(this.seen));
    for (const record of put) this.#remember(record);
    this.#forget(drop);
    this.seen = this.#joined(this.seen).filter((each) => !drop.includes(each.n ?? 0));
    return answer ?? put[0]?.n;
  }

  /** @param {(records: HandRecord[]) => Change} work @param {boolean} sure */
  async #written(work, sure) {
    const transaction = this.db.transaction(HANDS, "readwrite", sure ? { durability: "strict" } : {});
    const records = this.#joined(await transaction.store.getAll());
    const { put = [], drop = [], answer } = work(records);
    for (const record of put) {
      if ((record.n ?? 0) >= MEMORY) this.#remember(record);
      else record.n = await transaction.store.put(record);
    }
    for (const n of drop) await transaction.store.delete(n);
    const stored = put.length || drop.length ? await transaction.store.getAll() : records;
    await transaction.done;
    this.#forget([...drop, ...put.map((record) => record.n ?? 0).filter((n) => n < MEMORY)]);
    this.seen = this.#joined(stored);
    return answer ?? put[0]?.n;
  }

  /** Records in order; one in memory replaces the older one of the disk. @param {HandRecord[]} records */
  #joined(records) {
    const rest = records.filter((each) => (each.n ?? 0) < MEMORY && !this.memory.some((other) => other.n === each.n));
    return [...rest, ...this.memory].sort((one, other) => (one.n ?? 0) - (other.n ?? 0));
  }

  /** @param {number[]} numbers */
  #forget(numbers) {
    this.memory = this.memory.filter((each) => !numbers.includes(each.n ?? 0));
  }

  /** @param {HandRecord} record */
  #remember(record) {
    const at = this.memory.findIndex((each) => each.n === record.n);
    record.n ??= Math.max(MEMORY, ...this.memory.map((each) => each.n ?? 0)) + 1;
    if (at < 0) this.memory.push(record);
    else this.memory[at] = record;
  }
}

// ------------------------------------------------ the rows that hands of this tab became

// A hand typed on a page made before such a row may follow it: its typist saw that hand wait. Kept with the tab, for a reload can be
// quicker than the answer and then shows the table without the row.

const ROWS = "hanchan-own-rows";
const MAX_ROWS = 200; // no page lives as long
/** @type {Map<string, number>} */
const rowsInMemory = new Map();

/** @param {Place} place @param {number} seq */
const nameOf = (place, seq) => `${keyOf(place)} ${seq}`;

function loadRows() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(ROWS) ?? "[]"));
  } catch {
    return rowsInMemory; // no storage: for this page only
  }
}

/** @param {Map<string, number>} rows */
function saveRows(rows) {
  const kept = [...rows].slice(-MAX_ROWS);
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
  for (let next = rows.get(nameOf(place, seq)); next; next = rows.get(nameOf(place, seq))) seq = next;
  return seq;
}
