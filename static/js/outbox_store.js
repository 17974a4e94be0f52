// Where hands wait: IndexedDB, so that neither a closed laptop nor a reload loses one. It sends nothing and draws nothing.
//
// A record: {n: its place in the order of this laptop, client_id, event, round, table, action, fields: [[name, value]…],
// account, who, base: the last row of the table that its typist had seen, after: the n of the hand of this table that waits
// before it or null, typed_at, state: "waiting" | "refused" | "moved", problems, between, last_seq, said, line, kind}
//
// Several tabs share it. Every change is one transaction over what is there at that moment, so that two tabs that were
// answered the same thing do no harm.

import "../vendor/idb-8.0.4/idb.umd.js"; // puts "idb" on the window

const NAME = "hanchan-outbox";
const HANDS = "hands";
const MEMORY = 1e12; // numbers from here on are records that could not be written down
const LONGEST_OPENING = 8000; // a slow disk is not a missing one: what opens later is used then

export const sameTable = (one, other) => one.event === other.event && one.round === other.round && one.table === other.table;

const tooLong = () => new Promise((_resolve, reject) => setTimeout(reject, LONGEST_OPENING, new Error("slow")));

export class Store {
  constructor() {
    this.db = null;
    this.memory = [];
    this.seen = []; // what was there when last looked
  }

  // Returns whether anything can be kept here; calls `late` if that turns out to be so only afterwards.
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
      upgrade: (fresh) => { fresh.createObjectStore(HANDS, { keyPath: "n", autoIncrement: true }); },
      blocking: (_old, _new, event) => event.target.close(),
      terminated: () => { this.db = null; },
    });
    this.db = db;
  }

  get unsafe() {
    return this.memory.length > 0;
  }

  async all() {
    return this.edit((records) => ({ answer: records }));
  }

  // A new hand, behind whatever waits at its table; `sure` waits for the disk.
  async add(record) {
    const added = (records) => {
      const before = records.filter((each) => sameTable(each, record)).at(-1);
      return { put: [before ? { ...record, after: before.n, base: null } : { ...record, after: null }] };
    };
    return this.edit(added, { sure: true });
  }

  // Changes a record that is still there; returns whether it was.
  async change(n, how, sure = false) {
    return this.edit((records) => {
      const found = records.find((each) => each.n === n);
      return { put: found ? [how(found)] : [], answer: Boolean(found) };
    }, { sure });
  }

  // The desk has written it: the hand behind it has seen its row.
  async done(n, seq) {
    return this.#leave(n, () => ({ after: null, base: seq }));
  }

  // Somebody has thrown it away: the hand behind it takes its place.
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

  // One transaction: `work` is given all records in order and says what to put, what to drop, what to answer.
  async edit(work, { sure = false } = {}) {
    try {
      if (this.db) return await this.#written(work, sure);
    } catch {
      // the disk is full, or the browser has taken the store away: what comes now is kept in memory, and the page warns
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
