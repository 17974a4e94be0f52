// @ts-check
// The standings, sorted by the column whose head is pressed: on wide screens, where heads are shown. Again turns the order, a third time
// brings the ranking back. A part that live_fragment.js swaps in is sorted as the old one was.

const wide = matchMedia("(min-width: 60.01rem)");
const collator = new Intl.Collator(document.documentElement.lang);
const ranked = new WeakMap(); // the rows of each table as the server sent them
let column = -1;
let turned = false;

// "+1,234.5", "−1.234,5", "=2", "3-0-1": the last point or comma of a number is its decimal one; of placements the first counts most
function valueIn(cell) {
  if (cell.textContent.startsWith("=") && cell.matches(".change")) return 0;
  const text = cell.textContent.replace(/[^\d.,+\u2212-]/gu, "");
  if (/^\d+(-\d+)+$/.test(text)) return text.split("-").reduce((sum, part) => sum * 100 + Number(part), 0);
  const negative = text.startsWith("\u2212") || cell.querySelector("use[href$='#down']");
  const [whole, decimals] = text.replace(/[.,](?=\d*[.,])/g, "").split(/[.,]/);
  const number = Number(`${whole.replace(/\D/g, "") || "x"}.${decimals || 0}`);
  return Number.isNaN(number) ? null : negative ? -number : number;
}

function compare(one, other) {
  const [a, b] = [one, other].map((row) => row.cells[column]);
  if (a.localName === "th" || a.matches(".country")) return collator.compare(a.textContent.trim(), b.textContent.trim());
  const [left, right] = [valueIn(a), valueIn(b)];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  return upwards(a) ? left - right : right - left;
}

const upwards = (cell) => !cell.matches(".total, .round, .placements, .change");

function draw(table) {
  const body = table.tBodies[0];
  if (!ranked.has(body)) ranked.set(body, [...body.rows]);
  const rows = [...ranked.get(body)];
  if (column >= 0) rows.sort((one, other) => compare(one, other) * (turned ? -1 : 1));
  body.append(...rows);
  for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
    const rising = column >= 0 && upwards(rows[0].cells[column]) !== turned;
    if (index === column) head.setAttribute("aria-sort", rising ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  }
}

function press(table, index) {
  const again = column === index;
  column = again && turned ? -1 : index;
  turned = again && !turned;
  draw(table);
}

function furnish() {
  const table = /** @type {HTMLTableElement | null} */ (document.querySelector(".standings"));
  if (!table?.tHead || !wide.matches || table.querySelector("thead button")) return;
  for (const [index, head] of [...table.tHead.rows[0].cells].entries()) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => press(table, index));
    head.append(button);
  }
  if (column >= 0) draw(table);
}

furnish();
wide.addEventListener("change", furnish);
document.addEventListener("live-swapped", furnish);
