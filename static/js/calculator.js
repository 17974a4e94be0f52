// @ts-check
// Count a hand of tiles: every form [data-counting] asks the server what its hand is worth and shows the answer. The picker says
// "hand-changed"; this says "hand-counted" with the count (null if there is none) and a short line for it. An answer to an older hand
// is never shown. When the server does not answer, the page says so and asks again by itself. Words and sums come from the server.

import "./tile_picker.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const AFTER_TYPING = 160;
const BEFORE_ADDRESS = 300; // browsers limit how often an address changes

/** @param {HTMLFormElement} form */
const queryOf = (form) => new URLSearchParams([...new FormData(form)]);

class Answer {
  constructor(form) {
    this.form = form;
    this.shown = form.querySelector("[data-answer]");
    this.away = form.querySelector("[data-away]");
    this.wanted = null; // the fields of the form that were asked about last, or null
    this.failures = 0;
    this.timer = 0;
    form.addEventListener("hand-changed", (event) => this.changed(event.detail));
    this.shown.addEventListener("htmx:beforeSwap", (event) => this.check(event));
    this.shown.addEventListener("htmx:afterSwap", () => this.arrived());
    for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
      this.shown.addEventListener(failure, () => this.failed());
    }
    addEventListener("online", () => this.wanted !== null && this.failures && this.ask());
  }

  // `whole`: there is something to count; `now`: do not wait for more taps
  changed({ whole, now }) {
    window.htmx?.trigger(this.shown, "htmx:abort");
    clearTimeout(this.timer);
    this.wanted = whole ? queryOf(this.form).toString() : null;
    if (whole) {
      this.shown.classList.add("is-old");
      this.timer = setTimeout(() => this.ask(), now ? 0 : this.failures ? FIRST_PAUSE : AFTER_TYPING);
    } else {
      this.show("");
      this.say(null);
    }
  }

  show(html) {
    this.shown.classList.remove("is-old");
    this.shown.innerHTML = html;
  }

  ask() {
    clearTimeout(this.timer);
    this.wanted = queryOf(this.form).toString();
    window.htmx.trigger(this.shown, "ask");
  }

  check(event) {
    const asked = new URLSearchParams(event.detail.requestConfig.formData || event.detail.requestConfig.parameters);
    if (asked.toString() !== this.wanted) event.detail.shouldSwap = false;
  }

  arrived() {
    this.failures = 0;
    this.wanted = null;
    this.away.hidden = true;
    this.shown.classList.remove("is-old");
    const count = this.shown.querySelector("[data-count]");
    this.say(count ? JSON.parse(count.dataset.count) : null);
  }

  say(count, short = this.shown.querySelector("[data-short]")?.dataset.short || "") {
    this.form.dispatchEvent(new CustomEvent("hand-counted", { detail: { count, short }, bubbles: true }));
  }

  failed() {
    if (this.wanted === null) return;
    this.failures += 1;
    this.away.hidden = false;
    this.show("");
    this.say(null, this.away.querySelector("b").textContent);
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.failures - 1), LONGEST_PAUSE) * (0.8 + 0.4 * Math.random());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), pause);
  }
}

// Keeps rules and hand in the address of the public page, so that they can be shared and loaded again.
function keepAddress(form) {
  let timer = 0;
  form.addEventListener("hand-changed", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const fields = queryOf(form);
      if (!fields.get("line")) fields.delete("line");
      history.replaceState(null, "", `?${fields}`);
    }, BEFORE_ADDRESS);
  });
}

for (const form of document.querySelectorAll("[data-counting]")) {
  new Answer(form);
  if ("keepAddress" in form.dataset) keepAddress(form);
}
