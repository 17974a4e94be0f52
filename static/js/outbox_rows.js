// Which row a hand of this tab became that was typed behind a certain row: one typed on a page made before that row has its typist's
// leave to follow it. Kept with the tab, for a reload may be quicker than an answer and then show the table as it was before it. It asks
// nothing and sends nothing.

const KEY = "hanchan-own-rows";
const MANY = 200; // the oldest are forgotten: no page lives as long
const memory = new Map();

const nameOf = ({ event, round, table }, seq) => `${event} ${round} ${table} ${seq}`;

function load() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(KEY)) || []);
  } catch {
    return memory; // the browser keeps nothing: then for this page only
  }
}

function save(rows) {
  const kept = [...rows].slice(-MANY);
  for (const [name, seq] of kept) memory.set(name, seq);
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // as above
  }
}

// Remembers that a hand of the table, typed behind row `base`, became row `seq`.
export function becameRow(place, base, seq) {
  if (seq > base) save(load().set(nameOf(place, base), seq));
}

// Returns the last row that came behind row `base` without anybody else's between.
export function lastOwnRow(place, base) {
  const rows = load();
  let seq = base;
  while (rows.has(nameOf(place, seq))) seq = rows.get(nameOf(place, seq));
  return seq;
}
