// @ts-check
// The tile picker: draws the hand of every form [data-counting] and keeps it in step with its line. tile_rules.js says what can be
// tapped, tile_line.js has the notation, the page the words. Says "hand-changed" after each change.

import { byPlace, emptyHand, HAND_SIZE, inOrder, readLine, tilesHeld, withGiven, withoutGiven, writeLine } from "./tile_line.js";
import * as rules from "./tile_rules.js";

const SIDES = Object.entries({ "": "nobody", "<": "left", "^": "across", ">": "right" });

class Picker {
  constructor(form) {
    this.form = form;
    this.line = form.querySelector("[data-line]");
    this.rack = form.querySelector("[data-rack]");
    this.words = JSON.parse(form.dataset.words);
    this.names = Object.fromEntries(this.all("[data-tap]").map((node) => [node.dataset.tap, node.getAttribute("aria-label")]));
    this.mode = "hand";
    this.red = false;
    this.choosing = false; // the next tap in the hand says which tile won
    this.open = -1; // the meld whose choices are shown
    this.refusal = "";
    this.past = [];
    this.given = {}; // what the page has set, and the picker does not change
    this.full = form.querySelector("[data-full]"); // the line with what is given, sent instead of the one shown
    this.state = this.read(this.line.value);
    this.before = this.line.value; // the line as it was before the next change
    form.addEventListener("click", (event) => this.clicked(event));
    form.addEventListener("submit", (event) => this.submitted(event));
    form.addEventListener("hand-given", (event) => this.give(event.detail));
    form.addEventListener("hand-counted", (event) => this.counted(event.detail.short));
    this.line.addEventListener("input", () => this.typed());
    form.querySelector("[data-rules]")?.addEventListener("change", () => this.change(this.state, { now: true }));
    form.querySelector("[data-picker]").hidden = false;
    form.querySelector("[data-without-script]").hidden = true;
    this.draw();
    this.counted(form.querySelector("[data-short]")?.dataset.short || "");
  }

  all(selector) {
    return [...this.form.querySelectorAll(selector)];
  }

  get facts() {
    const chosen = this.form.querySelector("[data-rules]")?.selectedOptions[0];
    return JSON.parse((chosen || this.form).dataset.facts);
  }

  // ------------------------------------------------ changes

  read(text) {
    return withGiven(readLine(text), this.given);
  }

  // Start over with a line and with what is given.
  give({ line, given }) {
    Object.assign(this, { given, mode: "hand", open: -1, choosing: false, red: false });
    this.change(this.read(line), { now: true, forget: true });
  }

  change(state, { typed = false, now = false, forget = false } = {}) {
    this.state = state;
    this.refusal = "";
    if (!typed) this.line.value = writeLine(withoutGiven(state, this.given));
    if (forget) this.past = [];
    else if (this.line.value !== this.before) this.past.push(this.before);
    this.before = this.line.value;
    if (this.open >= state.melds.length) this.open = -1;
    this.draw();
    this.say(now);
  }

  say(now = false) {
    const isWhole = tilesHeld(this.state) >= HAND_SIZE || this.state.unread.length > 0;
    const whole = isWhole && this.line.value.trim() !== "";
    if (this.full) Object.assign(this.full, { name: "line", value: writeLine(this.state) });
    this.form.dispatchEvent(new CustomEvent("hand-changed", { detail: { whole, now }, bubbles: true }));
  }

  typed() {
    this.choosing = false;
    this.change(this.read(this.line.value), { typed: true });
  }

  submitted(event) {
    event.preventDefault();
    this.say(true);
  }

  settle(state, options) {
    this.change(rules.settle(state, this.facts), options);
  }

  refuse(why) {
    this.refusal = this.words[why] || "";
    this.drawHint();
  }

  undo() {
    const line = this.past.pop();
    if (line === undefined) return;
    this.before = line;
    this.line.value = line;
    this.change(this.read(line), { typed: true });
  }

  // ------------------------------------------------ taps

  clicked(event) {
    const button = event.target.closest("button");
    if (!button || button.type === "submit") return;
    const { tap, mode, act, flag, at } = button.dataset;
    if (button.getAttribute("aria-disabled") === "true") return this.refuse(button.dataset.why);
    if (tap) this.tapTile(tap);
    else if (mode) this.setMode(mode);
    else if (act) this.act(act, at === undefined ? -1 : Number(at), button);
    else if (flag) this.settle({ ...this.state, [flag]: !this.state[flag] });
    else if ("red" in button.dataset) this.setRed(!this.red);
    else if ("tsumo" in button.dataset) this.settle({ ...this.state, tsumo: Boolean(button.dataset.tsumo) });
    else if ("riichi" in button.dataset) this.setRiichi(Number(button.dataset.riichi));
    else if ("round" in button.dataset) this.settle({ ...this.state, round: button.dataset.round });
    else if ("seat" in button.dataset) this.settle({ ...this.state, seat: button.dataset.seat });
    else if ("step" in button.dataset) this.step(button.dataset.step, Number(button.dataset.by));
  }

  tapTile(tile) {
    const called = rules.CALLS.includes(this.mode);
    const state = rules.tap(this.state, this.facts, this.mode, tile, this.red);
    if (called) {
      this.mode = "hand"; // a call is one tap; the next tiles are of the hand again
      this.red = false;
    }
    this.choosing = false;
    this.change(state);
  }

  setMode(mode) {
    Object.assign(this, { mode, red: false, choosing: false, refusal: "" });
    this.draw();
  }

  setRed(red) {
    this.red = red;
    this.refusal = "";
    this.draw();
  }

  setRiichi(riichi) {
    const next = this.state.riichi === riichi ? this.given.riichi || 0 : riichi;
    if (!next && this.mode === "ura") this.mode = "hand";
    this.settle({ ...this.state, riichi: next });
  }

  step(name, by) {
    const most = name === "kita" ? 4 : 99;
    this.settle({ ...this.state, [name]: Math.max(0, Math.min(most, this.state[name] + by)) });
  }

  act(act, at, button) {
    const without = (list) => list.filter((_, index) => index !== at);
    if (act === "undo") this.undo();
    else if (act === "clear") this.clear();
    else if (act === "hand" && this.choosing) this.win(at);
    else if (act === "hand") this.settle({ ...this.state, hand: without(this.state.hand) });
    else if (act === "dora" || act === "ura") this.settle({ ...this.state, [act]: without(this.state[act]) });
    else if (act === "choose") this.choose();
    else if (act === "meld") this.showMeld(at);
    else if (act === "drop") this.dropMeld(at);
    else this.changeMeld(act, at, button);
  }

  clear() {
    this.mode = "hand";
    this.open = -1;
    this.change(withGiven({ ...emptyHand(), round: this.state.round, seat: this.state.seat }, this.given));
  }

  choose() {
    this.choosing = !this.choosing;
    this.refusal = "";
    this.draw();
  }

  win(at) {
    const hand = this.state.hand.filter((_, index) => index !== at);
    this.choosing = false;
    this.settle({ ...this.state, hand: [...hand, this.state.hand[at]] });
  }

  showMeld(at) {
    this.open = this.open === at ? -1 : at;
    this.draw();
  }

  dropMeld(at) {
    this.open = -1;
    this.settle({ ...this.state, melds: this.state.melds.filter((_, index) => index !== at) });
  }

  changeMeld(act, at, button) {
    const meld = { ...this.state.melds[at] };
    const choice = act === "five" && rules.redChoice(this.state, this.facts, meld);
    if (choice) meld.tiles = inOrder([...meld.tiles.filter((tile) => tile !== choice.from), ...this.exchanged(meld, choice)]);
    if (act === "from") meld.from = button.dataset.from;
    if (act === "added") meld.kind = meld.kind === "shouminkan" ? "daiminkan" : "shouminkan";
    this.settle({ ...this.state, melds: this.state.melds.map((each, index) => (index === at ? meld : each)) });
  }

  exchanged(meld, { from, to }) {
    const same = meld.tiles.filter((tile) => tile === from).length;
    return [to, ...Array(same - 1).fill(from)];
  }

  // ------------------------------------------------ drawing

  draw() {
    const { state, facts } = this;
    if (rules.whyNoMode(state, facts, this.mode)) this.mode = "hand";
    this.drawRack();
    this.drawModes();
    for (const button of this.all("[data-tap]")) {
      button.hidden = !rules.inSet(facts, button.dataset.tap);
      this.mark(button, rules.whyNoTile(state, facts, this.mode, button.dataset.tap, this.red));
    }
    this.drawConditions();
    this.drawHint();
    const held = tilesHeld(state);
    const word = held === HAND_SIZE ? "complete" : held > HAND_SIZE ? "too_many" : "have";
    this.form.querySelector("[data-status]").textContent = this.words[word].replace("{have}", held);
  }

  drawModes() {
    const { state, facts } = this;
    for (const button of this.all("[data-mode]")) {
      const { mode } = button.dataset;
      button.hidden = (mode === "chii" && !facts.chii) || (mode === "ura" && !facts.ura);
      button.setAttribute("aria-pressed", String(mode === this.mode));
      this.mark(button, rules.whyNoMode(state, facts, mode));
    }
    const red = this.form.querySelector("[data-red]");
    red.hidden = !facts.reds.length || (this.mode !== "chii" && this.mode !== "pon");
    red.setAttribute("aria-pressed", String(this.red));
  }

  drawConditions() {
    const { state, facts, given } = this;
    for (const choice of this.all("[data-choice]")) choice.hidden = choice.dataset.choice in given;
    this.form.querySelector('[data-riichi="1"]').hidden = Boolean(given.riichi);
    for (const button of this.all("[data-flag]")) {
      button.setAttribute("aria-pressed", String(state[button.dataset.flag]));
      this.mark(button, rules.whyNoFlag(state, facts, button.dataset.flag));
    }
    for (const button of this.all("[data-riichi]")) {
      const riichi = Number(button.dataset.riichi);
      const on = state.riichi === riichi;
      button.setAttribute("aria-pressed", String(on));
      this.mark(button, on ? "" : rules.whyNoFlag(state, facts, "riichi", riichi));
    }
    for (const button of this.all("[data-tsumo]"))
      button.setAttribute("aria-pressed", String(state.tsumo === Boolean(button.dataset.tsumo)));
    for (const name of ["round", "seat"]) {
      for (const button of this.all(`[data-${name}]`)) {
        const wind = button.dataset[name];
        button.hidden = name === "round" ? !rules.isPlayed(facts, wind) : facts.players === 3 && wind === "N";
        button.setAttribute("aria-pressed", String(state[name] === button.dataset[name]));
      }
    }
    this.form.querySelector("[data-kita]").hidden = !facts.kita && !state.kita;
    for (const node of this.all("[data-number]")) node.textContent = state[node.dataset.number];
    for (const button of this.all("[data-step]")) {
      const { step, by } = button.dataset;
      const least = by < 0 && !state[step];
      this.mark(button, least ? "none_left" : by > 0 && step === "kita" ? rules.whyNoKita(state, facts) : "");
    }
    this.mark(this.form.querySelector('[data-act="undo"]'), this.past.length ? "" : "nothing_to_undo");
  }

  drawHint() {
    const hint = this.form.querySelector("[data-hint]");
    hint.textContent = this.refusal || this.words[this.choosing ? "tap_win" : `tap_${this.mode}`];
    hint.classList.toggle("is-refusal", Boolean(this.refusal));
  }

  // Grey a button, with the reason as its title.
  mark(button, why) {
    if (why) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
    button.dataset.why = why;
    if (why && this.words[why]) button.title = this.words[why];
    else button.removeAttribute("title");
  }

  counted(short) {
    const verdict = this.form.querySelector("[data-verdict]");
    verdict.hidden = !short;
    verdict.textContent = short;
  }

  // ------------------------------------------------ the rack

  drawRack() {
    const focused = this.rack.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.rack.replaceChildren(...this.rackParts());
    if (focused !== null) (this.rack.querySelector(`[data-key="${focused}"]`) || this.rack.querySelector("button"))?.focus();
  }

  rackParts() {
    const { state, words } = this;
    const last = state.hand.length - 1;
    const sorted = state.hand.map((tile, at) => ({ tile, at })).slice(0, -1);
    sorted.sort((one, other) => byPlace(one.tile, other.tile));
    const hand = sorted.map(({ tile, at }) => this.tileButton(tile, "hand", at));
    const parts = [make("div", "rack-hand", {}, ...hand)];
    if (last >= 0) parts.push(this.winPart(last));
    state.melds.forEach((meld, at) => parts.push(this.meldButton(meld, at)));
    for (const name of ["dora", "ura"]) {
      const row = state[name].map((tile, at) => this.tileButton(tile, name, at));
      if (row.length) parts.push(make("div", "rack-small", {}, label(words[name]), ...row));
    }
    const kita = Array.from({ length: state.kita }, () => this.face("4z"));
    if (state.kita) parts.push(make("div", "rack-small", {}, label(words.kita), ...kita));
    if (this.open >= 0) parts.push(this.meldChoices(state.melds[this.open], this.open));
    return parts;
  }

  // A button that `act` is told of, with the key by which it gets its focus back.
  button(name, act, at, attributes, ...children) {
    const known = { type: "button", "data-act": act, "data-at": at, "data-key": `${act}${at}` };
    return make("button", name, { ...known, ...attributes }, ...children);
  }

  winPart(at) {
    const { winning, change } = this.words;
    const choose = make("button", "button is-small", { type: "button", "data-act": "choose", "aria-pressed": this.choosing }, change);
    choose.hidden = at < 1;
    const said = make("div", "rack-win-say", {}, label(winning), choose);
    return make("div", "rack-win", {}, this.tileButton(this.state.hand[at], "hand", at), said);
  }

  tileButton(tile, act, at) {
    const said = this.choosing && act === "hand" ? this.words.winning : this.words.remove;
    return this.button("rack-tile", act, at, { "aria-label": `${this.names[tile] || tile}: ${said}` }, this.face(tile));
  }

  meldButton(meld, at) {
    const names = meld.tiles.map((tile) => this.names[tile] || tile).join(", ");
    const down = meld.kind === "ankan" ? [0, 3] : [];
    const turned = { "<": 0, "^": 1, ">": meld.tiles.length - 1 }[meld.from];
    const face = (tile, index) => this.face(down.includes(index) ? "back" : tile, index === turned ? " is-turned" : "");
    const attributes = { "aria-expanded": this.open === at, "aria-label": `${this.words[`meld_${meld.kind}`]}: ${names}` };
    return this.button("rack-meld", "meld", at, attributes, ...meld.tiles.map(face));
  }

  meldChoices(meld, at) {
    const { words, facts } = this;
    const parts = [label(words[`meld_${meld.kind}`])];
    const add = (text, act, attributes) => parts.push(this.button("button is-small", act, at, attributes, text));
    const sides = rules.isOpen(meld) && meld.kind !== "chi" ? SIDES : [];
    for (const [sign, side] of sides.filter(([, each]) => each !== "across" || facts.players !== 3)) {
      const pressed = (meld.from || "") === sign;
      add(words[`from_${side}`], "from", { "data-from": sign, "data-key": `from${at}${sign}`, "aria-pressed": pressed });
    }
    const choice = rules.redChoice(this.state, facts, meld);
    if (choice && (choice.possible || choice.on)) add(words.red_five, "five", { "aria-pressed": choice.on });
    const isOpenQuad = meld.tiles.length === 4 && rules.isOpen(meld);
    if (isOpenQuad) add(words.meld_shouminkan, "added", { "aria-pressed": meld.kind === "shouminkan" });
    add(words.remove, "drop");
    return make("div", "rack-choices", {}, ...parts);
  }

  face(tile, turned = "") {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", `face${turned}`);
    svg.setAttribute("viewBox", "0 0 30 40");
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `${this.form.dataset.sprite}#tile-${tile}`);
    svg.append(use);
    return svg;
  }
}

function make(tag, name, attributes, ...children) {
  const node = document.createElement(tag);
  node.className = name;
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

const label = (text) => make("span", "rack-label", {}, text);

for (const form of document.querySelectorAll("[data-counting]")) new Picker(form);
