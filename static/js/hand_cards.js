// @ts-check
// A hand by tapping the players' cards. What is tapped is kept here as a hand and written into the hand line: read-back, choices, reasons
// and the outbox are the line's own. A line that somebody edits otherwise is not the cards' any more: they begin from the start.

import { lineOf, newHand, stageOf, tap } from "./card_hand.js";

/** @typedef {import("./card_hand.js").CardHand} CardHand */

const pad = () => document.getElementById("cards-pad");
const line = () => /** @type {HTMLInputElement | null} */ (document.getElementById("line"));
const cards = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-card]")]);

let hand = newHand();
/** @type {CardHand[]} */
let past = [];

/** @param {CardHand} next */
function become(next) {
  past.push(hand);
  hand = next;
  write();
}

function back() {
  hand = past.pop() || newHand();
  write();
}

function write() {
  const input = line();
  if (input) {
    input.value = lineOf(hand);
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  draw();
}

// The cards know nothing of a line that they did not write.
function keepInStep() {
  if (line()?.value === lineOf(hand)) return;
  hand = newHand();
  past = [];
}

function draw() {
  const node = pad();
  if (!node) return;
  const stage = line()?.value && !lineOf(hand) ? "typed" : stageOf(hand);
  node.dataset.stage = stage;
  const winner = hand.winners.at(-1);
  const isFirstOnly = hand.kind === "ron" && stage === "riichi";
  /** @type {Record<string, boolean>} */
  const allowed = {
    tenpai: hand.kind === "draw" || hand.kind === "nagashi",
    second: isFirstOnly && hand.winners.length < cards().length - 1,
    liable: Boolean(winner?.value.startsWith("y")),
    enter: stage !== "nagashi" || hand.nagashi !== "",
  };
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-stages]"))) {
    const name = part.dataset.mode || part.dataset.tap || "";
    part.hidden = !(part.dataset.stages || "").split(" ").includes(stage) || allowed[name] === false;
    if (part.dataset.mode) part.ariaPressed = String(part.dataset.mode === stage);
  }
  document.documentElement.classList.toggle("by-cards", Boolean(lineOf(hand)));
  drawPayments(node, winner?.seat);
  drawCards(stage);
  if (!lineOf(hand)) sayAgain();
}

/** @param {HTMLElement} node @param {string | undefined} seat */
function drawPayments(node, seat) {
  const deals = cards().some((card) => card.dataset.card === seat && "dealer" in card.dataset);
  const way = hand.kind === "tsumo" ? "tsumo" : "ron";
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll("[data-value]"))) {
    const paid = (deals ? button.dataset[way === "ron" ? "dealerRon" : "dealerTsumo"] : button.dataset[way]) || "";
    button.hidden = !paid;
    const shown = button.querySelector("[data-paid]");
    if (shown) shown.textContent = paid;
  }
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (node.querySelectorAll(".card-grid tbody tr"))) {
    row.hidden = !row.querySelector("button:not([hidden])");
  }
}

/** @param {string} stage */
function drawCards(stage) {
  for (const card of cards()) {
    const seat = card.dataset.card || "";
    const wins = hand.winners.some((win) => win.seat === seat) || hand.nagashi.includes(seat);
    const marks = { wins, loses: hand.loser === seat, riichi: hand.riichi.includes(seat), tenpai: hand.tenpai.includes(seat) };
    for (const [name, is] of Object.entries(marks)) card.classList.toggle(`is-${name}`, is);
    card.classList.toggle("is-off", hand.dead.includes(seat) || hand.offenders.includes(seat));
    card.ariaPressed = String(isMarked(stage, seat, wins));
  }
}

/** @param {string} stage @param {string} seat @param {boolean} wins */
function isMarked(stage, seat, wins) {
  const of = { riichi: hand.riichi, tenpai: hand.tenpai, dead: hand.dead, offender: hand.offenders };
  return stage in of ? of[/** @type {keyof typeof of} */ (stage)].includes(seat) : wins;
}

/** @param {HTMLElement} button */
function pressed(button) {
  const { tap: act, mode, value, abort } = button.dataset;
  if (act === "back") back();
  else if (act === "enter") line()?.form?.requestSubmit();
  else if (mode) become({ ...hand, mode: hand.mode === mode ? "" : mode });
  else if (value) become({ ...hand, mode: "", winners: hand.winners.map((win) => (win.value ? win : { ...win, value })) });
  else if (abort) become({ ...hand, abort });
  else if (act === "second") become({ ...hand, mode: "second" });
  else if (act) become({ ...hand, kind: act });
}

/** @param {MouseEvent} event */
function clicked(event) {
  const target = /** @type {Element} */ (event.target);
  const card = /** @type {HTMLElement | null} */ (target.closest?.("[data-card]"));
  const button = /** @type {HTMLElement | null} */ (target.closest?.("#cards-pad button"));
  if (!card && !button) return;
  keepInStep();
  if (button) pressed(button);
  else if (card) {
    if (line()?.value && !lineOf(hand)) return; // a typed line stays
    const next = tap(hand, stageOf(hand), card.dataset.card || "");
    if (next) become(next);
  }
}

function lineChanged() {
  keepInStep();
  draw();
}

document.addEventListener("click", clicked);
document.addEventListener("input", ({ target }) => {
  if (target === line()) lineChanged();
});
document.addEventListener("hand-taken", lineChanged);
// The read-back again in the pad, which lies over it on a phone.
function sayAgain() {
  const said = /** @type {HTMLElement | null} */ (pad()?.querySelector("[data-say]"));
  const texts = [...document.querySelectorAll("#understood :is(.understood-say:not(.is-hint), .note, .problem)")];
  if (!said) return;
  said.textContent = lineOf(hand) ? texts.map((each) => each.textContent.trim()).join(" ") : "";
  said.hidden = !said.textContent;
}

document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target?.id === "table-page") lineChanged();
  sayAgain();
});
lineChanged();
