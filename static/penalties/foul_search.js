// @ts-check
// Give a penalty by the keyboard: Alt+P opens the panel at a table, a player's digit chooses, or the list and Enter, arrows move among the
// fouls that the letters found, Enter looks one up and Enter gives it. Without scripts the same forms are pages.

const dialog = () => document.getElementById("penalty-dialog");
const search = () => document.querySelector("[data-foul-search]");
const hits = () => [...document.querySelectorAll("[data-foul-hits] button")];
const PLAYER = "[data-foul-players] input, select[data-foul-players]";
let looked = null; // the text looked up last: a search for it that is still planned must not replace its answer
let typing = false; // in a list the arrows change the choice at every step
let chosen = -1; // the hit that the arrows have reached, -1: none, and the server takes the first
let reached = null; // the foul of that hit: it stays chosen if the next answer has it

function open() {
  if (dialog() && !dialog().open) dialog().showModal();
  document.querySelector("[data-foul-players] input")?.focus();
}

function choosePlayer(event) {
  const box = document.querySelector(`[data-foul-players] input[data-key="${CSS.escape(event.key)}"]`);
  if (!box || event.target === search() || event.target.matches?.("input[type=text], select")) return;
  event.preventDefault();
  box.checked = true;
  chosePlayer();
}

function chosePlayer() {
  search().focus();
  document.querySelector("[data-look-again]")?.click(); // the answer there is about somebody else
}

function move(by) {
  const rows = hits();
  if (!rows.length) return;
  choose(Math.min(Math.max(Math.max(chosen, 0) + by, 0), rows.length - 1));
  reached = rows[chosen].value;
}

function choose(place) {
  chosen = place;
  if (place < 0) return;
  hits().forEach((row, at) => row.classList.toggle("is-first", at === place));
  hits()[place].scrollIntoView({ block: "nearest" });
}

function inSearch(event) {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    move(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Enter" && chosen >= 0 && hits()[chosen]) {
    event.preventDefault();
    hits()[chosen].click();
  }
}

document.addEventListener(
  "keydown",
  (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    if (event.altKey && !event.ctrlKey && !event.metaKey && event.code === "KeyP") {
      event.preventDefault();
      document.querySelector("[data-penalty]")?.click();
    } else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      typing = event.target.matches?.("select[data-foul-players]");
      if (event.target === search()) inSearch(event);
      else if (typing && event.key === "Enter" && event.target.value) {
        event.preventDefault();
        chosePlayer();
      } else if (!typing && /^[1-9]$/.test(event.key) && (!dialog() || dialog().open)) choosePlayer(event);
    }
  },
  { capture: true },
); // before the desk takes a digit for the number of a table

document.addEventListener("input", (event) => {
  if (event.target !== search()) return;
  chosen = -1;
  reached = null;
  looked = null;
});

document.addEventListener(
  "submit",
  (event) => {
    if (event.target.matches("[data-foul-form]")) looked = search().value;
  },
  { capture: true },
);

// before the request, because a new one takes the place of the one that is under way
document.addEventListener("htmx:confirm", (event) => {
  if (event.detail.elt === search() && looked === search().value) event.preventDefault();
});

document.addEventListener("pointerdown", () => {
  typing = false;
});

document.addEventListener("change", (event) => {
  if (event.target.matches?.(PLAYER) && event.target.value && !typing) chosePlayer();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-close-penalty]")) dialog()?.close();
});

document.addEventListener("htmx:afterSettle", (event) => {
  const target = event.detail.target;
  if (target?.id === "penalty-panel") {
    chosen = -1; // what was reached in the panel before was another foul, of somebody else
    reached = null;
    open();
  } else if (target?.id === "foul-found") choose(reached === null ? -1 : hits().findIndex((row) => row.value === reached));
});
