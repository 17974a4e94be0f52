// The last hand from the keyboard: ArrowUp in the empty line opens it for correction, by the very link that stands in the list of hands.
// What was entered stands there selected: typing replaces it, an arrow key goes into it.

const line = () => document.getElementById("line");
const last = () => document.querySelector("table.hands tbody tr:not(.is-void) a[data-correct]");

document.addEventListener("keydown", (event) => {
  const other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing;
  const input = line();
  if (event.key !== "ArrowUp" || other || event.target !== input || input.value || !last()) return;
  event.preventDefault();
  location.assign(last().href);
});

// Keys that came before this script stand in front of what was entered: they, too, are typed in its place.
function selectEntered(input) {
  const entered = input.defaultValue;
  if (input.value === entered) input.select();
  else if (entered && input.value.endsWith(entered)) input.value = input.value.slice(0, -entered.length);
}

// A browser may give the line its focus only after this script has run.
function selectAtFocus(input) {
  if (document.activeElement === input) selectEntered(input);
  else input.addEventListener("focus", () => { if (input.value === input.defaultValue) input.select(); }, { once: true });
}

if (new URLSearchParams(location.search).has("correct") && line()) selectAtFocus(line());
