// @ts-check
// The picker of the hand page: opens beside the line, takes the winner and how they win from it and from the table, and puts the tiles
// into it. The line and its form are swapped with every hand and are looked up each time; the dialog is outside and stays. Values come
// from the server, which counts the hand again when it is sent.

import "./calculator.js";
import { chosenWin, putTiles, readLine, readTableLine, withoutGiven, writeLine } from "./tile_line.js";

const LONG = 22; // letters; a longer line is shown in smaller type

class CountDialog {
  constructor(dialog) {
    this.dialog = dialog;
    this.form = dialog.querySelector("[data-counting]");
    this.hand = dialog.querySelector("[data-line]");
    this.words = JSON.parse(dialog.dataset.words);
    this.inLine = ""; // the tiles in the line that the picker began with
    this.given = {};
    this.counted = false;
    this.putWhenCounted = false;
    document.documentElement.classList.add("has-picker");
    document.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => this.keyed(event));
    document.addEventListener("input", (event) => event.target === this.line && this.fit());
    document.addEventListener("htmx:afterSwap", (event) => this.swapped(event.detail));
    document.addEventListener("hand-taken", () => this.next());
    this.form.addEventListener("submit", (event) => this.entered(event), { capture: true });
    this.form.addEventListener("submit", () => (this.putWhenCounted = true)); // the picker has asked before
    this.form.addEventListener("hand-changed", () => this.changed());
    this.form.addEventListener("hand-counted", (event) => this.answered(event.detail));
    dialog.addEventListener("close", () => this.line?.focus());
    this.fit();
  }

  get line() {
    return document.getElementById("line");
  }

  part(name) {
    return this.dialog.querySelector(`[data-${name}]`);
  }

  clicked(event) {
    const button = event.target.closest?.("[data-count-tiles], [data-put], [data-close]");
    if (!button) return;
    if ("countTiles" in button.dataset) this.open(matchMedia("(pointer: coarse)").matches);
    else if ("put" in button.dataset) this.put();
    else this.dialog.close();
  }

  keyed(event) {
    const other = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing;
    if (event.key !== "ArrowDown" || other || event.target !== this.line) return;
    event.preventDefault();
    this.open();
  }

  // ------------------------------------------------ from the line

  open(byFinger = false) {
    const { line, hand } = this;
    this.read = readTableLine(line.value);
    this.at = chosenWin(this.read, line.selectionStart);
    const win = this.read.wins[this.at] || { seat: "", tiles: "" };
    this.given = this.givenBy(win.seat, line.form.dataset);
    const text = win.tiles === this.inLine ? hand.value : win.tiles;
    this.inLine = win.tiles;
    this.give(text, this.given);
    this.drawKnown(win.seat, JSON.parse(line.form.dataset.names));
    this.dialog.showModal();
    if (byFinger)
      this.dialog.querySelector("h2").focus(); // no keyboard over the tiles
    else hand.focus();
    this.dialog.querySelector(".count-dialog-body").scrollTop = 0;
  }

  /**
   * @param {string} seat
   * @param {any} facts what the form says of the table
   */
  givenBy(seat, { round, winds, honba }) {
    const given = { round, honba: Number(honba) };
    const wind = winds[Number(seat) - 1];
    if (wind) given.seat = wind;
    if (this.read.tsumo !== null) given.tsumo = this.read.tsumo;
    if (seat && this.read.riichi.includes(seat)) given.riichi = 1;
    return given;
  }

  give(line, given) {
    this.form.dispatchEvent(new CustomEvent("hand-given", { detail: { line, given } }));
  }

  // the winner, and what is given in the picker's own words
  drawKnown(seat, names) {
    const { given, words } = this;
    const label = (selector) => this.form.querySelector(selector).textContent;
    const wind = (name) => this.form.querySelector(`[data-${name}="${given[name]}"]`).getAttribute("aria-label");
    const known = [names[seat - 1] ? `${seat} ${names[seat - 1]}` : "", words.round.replace("{wind}", wind("round"))];
    if (given.seat) known.push(words.seat.replace("{wind}", wind("seat")));
    if ("tsumo" in given) known.push(label(given.tsumo ? '[data-tsumo="1"]' : '[data-tsumo=""]'));
    if (given.riichi) known.push(label('[data-riichi="1"]'));
    if (given.honba) known.push(words.honba.replace("{count}", given.honba));
    this.part("known").replaceChildren(
      ...known.filter(Boolean).map((text) => Object.assign(document.createElement("li"), { className: "tag", textContent: text })),
    );
    this.part("nobody").hidden = this.read.complete;
  }

  // ------------------------------------------------ into the line

  // Enter in the hand line: put it into the line, or ask what it is worth and put it in as soon as that is known
  entered(event) {
    if (!this.counted) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    this.put();
  }

  changed() {
    this.counted = false;
    this.putWhenCounted = false; // of another hand
    this.draw("");
  }

  answered({ count, short }) {
    this.counted = count !== null;
    this.draw(short);
    if (this.counted && this.putWhenCounted && this.dialog.open) this.put();
  }

  draw(short) {
    this.part("put").disabled = !this.counted;
    this.part("value").textContent = short || this.words.no_hand;
    const print = this.part("print");
    print.hidden = !this.counted || !this.read?.complete;
    if (!print.hidden) print.href = `${this.dialog.dataset.slip}?${new URLSearchParams(this.slipOf(this.lineWithTiles().line))}`;
  }

  slipOf(line) {
    const hand = this.line.form.elements.namedItem("hand");
    return hand ? { line, hand: hand.value } : { line };
  }

  // What the table knows is not written. A riichi of the winner goes behind the slash; without a winner it stays with the tiles, so that
  // the desk asks for it.
  lineWithTiles() {
    const { seat } = this.read.wins[this.at] || { seat: "" };
    const state = readLine(this.hand.value);
    const known = { round: "E", seat: "E", tsumo: false, honba: 0, ...(seat ? { riichi: 1 } : {}) };
    this.tiles = writeLine(withoutGiven(state, known));
    return putTiles(this.read, this.at, this.tiles, state.riichi > 0);
  }

  put() {
    const { line, caret } = this.lineWithTiles();
    this.inLine = this.tiles;
    this.dialog.close();
    this.line.value = line;
    this.line.focus();
    this.line.setSelectionRange(caret, caret);
    this.line.dispatchEvent(new Event("input", { bubbles: true }));
  }

  // ------------------------------------------------ around it

  swapped({ target }) {
    if (target?.id === "table-page") this.fit();
  }

  // the hand is on its way (see outbox.js): the next one begins with no tiles
  next() {
    this.inLine = "";
    this.give("", {});
    this.fit();
  }

  fit() {
    this.line?.classList.toggle("is-long", this.line.value.length > LONG);
  }
}

const dialog = document.getElementById("count-dialog");
if (dialog) new CountDialog(dialog);
