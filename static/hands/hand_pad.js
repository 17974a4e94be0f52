// @ts-check
// A hand by tapping the players' cards. What is tapped is kept here as a hand and written into the hand line: read-back, choices, reasons
// and the outbox are the line's own. A whole hand that is typed comes back from the desk as the cards' own, so that it can be tapped on.

import { lineOf, newHand, ofWinner, stageOf, stick, tap, winnerAt, without } from "./hand_state.js";

/** @typedef {import("./hand_state.js").CardHand} CardHand */

const pad = () => document.getElementById("cards-pad");
const line = () => /** @type {HTMLInputElement | null} */ (document.getElementById("line"));
const all = (selector, root = pad()) => /** @type {HTMLElement[]} */ ([...(root?.querySelectorAll(selector) ?? [])]);
const cards = () => all("[data-card]", document.body);
const most = () => Number(pad()?.dataset.most);

let hand = newHand();
let written = ""; // the line that says the hand
/** @type {CardHand[]} */
let past = [];
let isTapped = false;

/** @param {CardHand} next */
function become(next) {
  past.push(hand);
  change(next);
}

/** @param {CardHand} next */
function change(next) {
  hand = next;
  isTapped = true;
  write();
}

function write() {
  const input = line();
  written = lineOf(hand);
  if (input) {
    input.value = written;
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  draw();
}

// A line that the cards did not write is not theirs until the desk has read it.
function keepInStep() {
  if (line()?.value === written) return;
  hand = newHand();
  written = "";
  past = [];
  isTapped = false;
}

function readBack() {
  const text = /** @type {HTMLElement | null} */ (document.querySelector("#understood [data-in-cards]"))?.dataset.inCards;
  const read = text ? JSON.parse(text) : null;
  if (!read || read.line !== line()?.value || read.line === written) return;
  const { line: said, ...parts } = read;
  hand = { ...newHand(), ...parts };
  written = said;
  past = [];
}

// ------------------------------------------------ drawing

const isMine = () => line()?.value === written;

function draw() {
  const node = pad();
  if (!node) return;
  const stage = isMine() ? stageOf(hand) : "typed";
  node.dataset.stage = stage;
  const marks = allowed(stage);
  for (const part of all("[data-stages]")) {
    const name = part.dataset.mode || part.dataset.tap || "";
    part.hidden = !(part.dataset.stages || "").split(" ").includes(stage) || marks[name] === false;
    if (part.dataset.mode) part.ariaPressed = String(part.dataset.mode === stage);
  }
  for (const [act, is] of Object.entries({ stops: hand.stops, back_riichi: hand.back })) {
    for (const button of all(`[data-tap="${act}"]`)) button.ariaPressed = String(is);
  }
  document.documentElement.classList.toggle("by-cards", isTapped && written !== "");
  const seat = winnerAt(hand)?.seat;
  const name = all(".cards-name")[Number(seat) - 1]?.textContent ?? "";
  for (const each of all("[data-whose]")) each.textContent = name && `${name}:`;
  for (const button of all("[data-chips]")) button.ariaPressed = String(winnerAt(hand)?.chips === button.dataset.chips);
  drawTexts();
  if (isTapped) requestAnimationFrame(() => bringIntoSight(node, stage));
  drawPayments(seat);
  drawCards(stage);
  sayAgain();
}

const IN_PAD = new Set(["value", "tenpai", "chips", "more"]);

// What is tapped next: a part of the pad, or the cards above it. A pad at the lower edge has both.
/** @param {HTMLElement} node @param {string} stage */
function bringIntoSight(node, stage) {
  if (getComputedStyle(node).position === "fixed") return;
  const next = IN_PAD.has(stage) ? node : document.querySelector(".seats");
  next?.scrollIntoView({ block: "nearest" });
}

/** @param {string} stage @returns {Record<string, boolean>} */
function allowed(stage) {
  const isRon = hand.kind === "ron";
  const wins = isRon || hand.kind === "tsumo";
  const more = isRon && hand.winners.length < most();
  for (const part of all('[data-part="wins-too"]')) part.hidden = !more;
  for (const part of all('[data-part="said"]')) part.hidden = !wins;
  return {
    riichi: stage !== "riichi" && hand.kind !== "draw" && hand.kind !== "nagashi",
    tenpai: stage !== "tenpai" && (hand.kind === "draw" || hand.kind === "nagashi"),
    second: more,
    all: hand.winners.length > 1,
    nagashi: stage === "start" || (hand.kind === "nagashi" && hand.nagashi !== ""),
    liable: Boolean(winnerAt(hand)?.value.startsWith("y")) || (hand.kind === "tsumo" && all("[data-mode][data-rinshan]").length > 0),
    chips: wins,
    back_riichi: isRon && hand.riichi.includes(hand.loser),
    enter: stage !== "nagashi" || hand.nagashi !== "",
  };
}

function drawTexts() {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (pad()?.querySelectorAll("[data-text]") ?? [])) {
    const text = hand[/** @type {"said" | "note"} */ (input.dataset.text)];
    if (input !== document.activeElement) input.value = text;
  }
  const own = document.querySelector("#hand-line .line-enter > [type=submit]");
  const enters = all('[data-tap="enter"]');
  for (const button of enters) if (own) button.textContent = own.textContent;
  own?.classList.toggle(
    "is-main",
    enters.every((button) => button.hidden),
  ); // one main act
}

/** @param {string | undefined} seat */
function drawPayments(seat) {
  const deals = all("[data-card]").some((card) => card.dataset.card === seat && "dealer" in card.dataset);
  const isRon = hand.kind !== "tsumo";
  const key = isRon ? (deals ? "dealerRon" : "ron") : deals ? "dealerTsumo" : "tsumo";
  for (const button of all("[data-value]")) {
    const paid = button.dataset[key] || "";
    button.hidden = !paid;
    const shown = button.querySelector("[data-paid]");
    if (shown) shown.textContent = paid.replace("/", "/\u200b"); // a narrow button breaks it there
  }
  for (const row of all(".card-grid tbody tr")) row.hidden = !row.querySelector("button:not([hidden])");
  const way = isRon ? "ron" : deals ? "all" : "split";
  for (const part of all("[data-ways]")) part.hidden = part.dataset.ways !== way;
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
  for (const each of all("[data-stick]")) each.ariaPressed = String(hand.riichi.includes(each.dataset.stick || ""));
}

/** @param {string} stage @param {string} seat @param {boolean} wins */
function isMarked(stage, seat, wins) {
  if (stage === "liable") return winnerAt(hand)?.pao === seat;
  const of = { riichi: hand.riichi, tenpai: hand.tenpai, dead: hand.dead, offender: hand.offenders };
  return stage in of ? of[/** @type {keyof typeof of} */ (stage)].includes(seat) : wins;
}

// What was understood again in the pad, which lies over it on a tablet; with what there is to choose.
function sayAgain() {
  const said = /** @type {HTMLElement | null} */ (pad()?.querySelector("[data-say]"));
  const asked = /** @type {HTMLElement | null} */ (pad()?.querySelector("[data-asked]"));
  if (!said || !asked) return;
  const texts = [...document.querySelectorAll("#understood :is(.understood-say:not(.is-hint), .note, .problem)")];
  said.textContent = isTapped && written ? texts.map((each) => each.textContent.trim()).join(" ") : "";
  said.hidden = !said.textContent;
  const choices = isTapped && written ? [...document.querySelectorAll("#understood .choices [data-choice]")] : [];
  asked.replaceChildren(...choices.map((each) => each.cloneNode(true)));
  asked.hidden = !choices.length;
}

// ------------------------------------------------ taps

function takePaid() {
  const [others, dealer] = ["[data-paid-others]", "[data-paid-dealer]"].map((name) => {
    const input = /** @type {HTMLInputElement | null} */ (pad()?.querySelector(name));
    const digits = input && !input.hidden ? input.value.replace(/\D/g, "") : "";
    return { input, digits };
  });
  if (!others.digits || (dealer.input && !dealer.input.hidden && !dealer.digits)) {
    (others.digits ? dealer : others).input?.focus();
    return;
  }
  for (const { input } of [others, dealer]) if (input) input.value = "";
  become(ofWinner(hand, { value: dealer.digits ? `${others.digits}-${dealer.digits}` : `=${others.digits}` }));
}

function back() {
  const before = past.pop();
  change(before ?? without(hand));
}

/** @type {Record<string, () => void>} */
const ACTS = {
  back,
  enter: () => line()?.form?.requestSubmit(),
  paid: takePaid,
  stops: () => become({ ...hand, stops: !hand.stops }),
  back_riichi: () => become({ ...hand, back: !hand.back }),
  all: () => become({ ...hand, riichi: [...new Set([...hand.riichi, ...hand.winners.map((win) => win.seat)])].sort().join("") }),
};

/** @param {HTMLElement} button */
function pressed(button) {
  const { tap: act, mode, value, abort, chips, card, stick: seat } = button.dataset;
  if (card) {
    const next = tap(hand, card, most());
    if (next) become(next);
  } else if (seat) become(stick(hand, seat));
  else if (mode) become({ ...hand, mode: hand.mode === mode ? "" : mode });
  else if (value) become(ofWinner({ ...hand, mode: "" }, { value }));
  else if (chips) become(ofWinner(hand, { chips: winnerAt(hand)?.chips === chips ? "" : chips }));
  else if (abort) become({ ...hand, abort });
  else if (act && ACTS[act]) ACTS[act]();
  else if (act) become({ ...hand, kind: act });
}

/** @param {MouseEvent} event */
function clicked(event) {
  const target = /** @type {Element} */ (event.target);
  const button = /** @type {HTMLElement | null} */ (target.closest?.("[data-card], #cards-pad button"));
  if (!button || button.dataset.choice) return;
  keepInStep();
  if (isMine()) pressed(button); // a line that is half typed stays
}

/** @param {Event} event */
function typed({ target }) {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input === line()) {
    keepInStep();
    draw();
  } else if (input.dataset?.text) {
    const isSaid = input.dataset.text === "said";
    const text = isSaid ? input.value.replace(/[^\d+]/g, "") : input.value;
    change({ ...hand, [input.dataset.text]: text });
  }
}

/** @param {KeyboardEvent} event */
function entered(event) {
  const input = /** @type {HTMLElement} */ (event.target);
  if (event.key !== "Enter" || event.isComposing || !input.closest?.("#cards-pad input")) return;
  event.preventDefault();
  if (input.dataset.text) ACTS.enter();
  else takePaid();
}

function lineChanged() {
  keepInStep();
  readBack();
  draw();
}

// A swap of the page takes a field of the pad away while somebody types into it.
let field = "";
document.addEventListener("focusin", ({ target }) => {
  field = /** @type {HTMLElement} */ (target).dataset?.text ? `#${/** @type {HTMLElement} */ (target).id}` : "";
});

function swapped() {
  lineChanged();
  if (field && document.activeElement === document.body) /** @type {HTMLElement | null} */ (document.querySelector(field))?.focus();
}

document.addEventListener("click", clicked);
document.addEventListener("input", typed);
document.addEventListener("keydown", entered);
document.addEventListener("htmx:afterSwap", swapped);
lineChanged();
