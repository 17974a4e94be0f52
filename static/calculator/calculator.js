// @ts-check
// Count a hand of tiles: every form [data-counting] asks the server what its hand is worth and shows the answer. The picker says
// "hand-changed"; this says "hand-counted" with the count (null if there is none) and a short line for it. An answer to an older hand
// is never shown. When the server does not answer, the page says so and asks again by itself. Words and sums come from the server.

import "./tile_picker.js";

const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 30_000;
const AFTER_TYPING = 160;
const LIMIT = 8000; // for an answer
const BEFORE_ADDRESS = 300; // browsers limit how often an address changes

/** @param {HTMLFormElement} form */
const queryOf = (form) => new URLSearchParams([...new FormData(form)]);

class Answer {
  constructor(form) {
    this.form = form;
    this.shown = form.querySelector("[data-answer]");
    this.wrong = form.querySelector("[data-line-wrong]"); // at the field: what is wrong with its line
    this.away = form.querySelector("[data-away]");
    this.wanted = false; // whether an answer is to come
    this.asking = null; // what ends the request under way
    this.failures = 0;
    this.timer = 0;
    form.addEventListener("hand-changed", (event) => this.changed(event.detail));
    this.wrong.append(...this.shown.querySelectorAll("[data-wrong]"));
    addEventListener("online", () => this.wanted && this.failures && this.ask());
  }

  // `whole`: there is something to count; `now`: do not wait for more taps
  changed({ whole, now }) {
    this.stop();
    this.wanted = whole;
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
    this.wrong.replaceChildren(...this.shown.querySelectorAll("[data-wrong]"));
  }

  stop() {
    clearTimeout(this.timer);
    this.asking?.abort();
    this.asking = null;
  }

  async ask() {
    this.stop();
    const asking = new AbortController();
    this.asking = asking;
    this.wanted = true;
    const late = setTimeout(() => asking.abort(), LIMIT);
    try {
      const headers = { "HX-Request": "true" }; // at the desk: 401 instead of a page to sign in on
      const response = await fetch(`${this.shown.dataset.answer}?${queryOf(this.form)}`, {
        headers,
        cache: "no-store",
        signal: asking.signal,
      });
      if (!response.ok) throw new Error(`status ${response.status}`);
      const html = await response.text();
      if (this.asking === asking) this.arrived(html);
    } catch {
      if (this.asking === asking) this.failed();
    } finally {
      clearTimeout(late);
    }
  }

  arrived(html) {
    this.asking = null;
    this.failures = 0;
    this.wanted = false;
    this.away.hidden = true;
    this.show(html);
    const count = this.shown.querySelector("[data-count]");
    this.say(count ? JSON.parse(count.dataset.count) : null);
  }

  say(count, short = this.shown.querySelector("[data-short]")?.dataset.short || "") {
    this.form.dispatchEvent(new CustomEvent("hand-counted", { detail: { count, short }, bubbles: true }));
  }

  failed() {
    this.asking = null;
    this.failures += 1;
    this.away.hidden = false;
    this.show("");
    this.say(null, this.away.querySelector("b").textContent);
    const pause = Math.min(FIRST_PAUSE * 2 ** (this.failures - 1), LONGEST_PAUSE) * (0.8 + 0.4 * Math.random());
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
