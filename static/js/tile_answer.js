// Asks the server what a hand is worth, for every form [data-counting]; the picker says "hand-changed", this asks, and says
// "hand-counted" with the count (null where there is none) and a short line for it. An answer to an older hand is never shown.
// When the server does not answer, what was typed stays, the page says so, and asks again by itself. Words and sums come from
// the server.

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const AFTER_TYPING = 160;

class Answer {
  constructor(form) {
    this.form = form;
    this.shown = form.querySelector("[data-answer]");
    this.away = form.querySelector("[data-away]");
    this.empty = this.shown.innerHTML;
    this.wanted = null; // what is asked for, as the form's fields
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

  fields() {
    return new URLSearchParams(new FormData(this.form)).toString();
  }

  // whole: is there something to count? now: without waiting for more taps
  changed({ whole, now }) {
    if (window.htmx) htmx.trigger(this.shown, "htmx:abort");
    clearTimeout(this.timer);
    this.wanted = whole ? this.fields() : null;
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
    this.wanted = this.fields();
    htmx.trigger(this.shown, "ask");
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

for (const form of document.querySelectorAll("[data-counting]")) new Answer(form);
