// @ts-check
// Acts of one kind on a page, such as ticks: each is drawn at once and goes to the outbox (outbox.js). A fragment that the desk answers
// with is older than acts that are on their way: `draw` draws those into it again.

import { newId } from "../hands/outbox_send.js";

/** @typedef {{ lane: string, title: string, said: string, action: string, fields: [string, string][] }} Act */

export class Acts {
  /** @param {{ kind: string, event: string, part: string, draw: () => void }} page `part` is the id of the fragment that shows them */
  constructor({ kind, event, part, draw }) {
    this.kind = kind;
    this.event = event;
    this.part = part;
    this.draw = draw;
    this.waiting = new Map(); // client_id → {fields, kept: whether the outbox has said that it has it}
    this.answered = 0; // how many the desk has answered
    this.asked = 0; // and how many when the fragment was last asked for
    document.addEventListener("outbox-changed", ({ detail }) => this.#heard(detail.acts ?? []));
    document.addEventListener("htmx:configRequest", ({ detail }) => {
      if (detail.elt.id === part) this.asked = this.answered;
    });
    document.addEventListener("htmx:beforeSwap", ({ detail }) => this.#swapping(detail));
    for (const name of ["htmx:afterSwap", "htmx:afterSettle"]) document.addEventListener(name, draw);
  }

  /** Whether the outbox is there; without it forms post. */
  static get able() {
    return document.documentElement.classList.contains("has-outbox");
  }

  /** The fields of the acts that are on their way, in order. */
  get fields() {
    return [...this.waiting.values()].map(({ fields }) => fields);
  }

  /** Show an act and hand it to the outbox; returns its id. @param {Act} act */
  take(act) {
    const client_id = newId();
    this.waiting.set(client_id, { fields: Object.fromEntries(act.fields), kept: false });
    const detail = { ...act, client_id, kind: this.kind, event: this.event };
    document.dispatchEvent(new CustomEvent("act-taken", { detail }));
    return client_id;
  }

  #heard(acts) {
    const ours = acts.filter((act) => act.kind === this.kind && act.event === this.event);
    const left = ours.filter((act) => act.state === "waiting");
    for (const { client_id, fields } of left) this.waiting.set(client_id, { fields: Object.fromEntries(fields), kept: true });
    const before = this.waiting.size;
    for (const [id, { kept }] of this.waiting) if (kept && !left.some((act) => act.client_id === id)) this.waiting.delete(id);
    this.answered += before - this.waiting.size;
    if (ours.length > left.length && before > this.waiting.size) askAgain(); // one was refused
    this.draw();
  }

  // Refuses a fragment that was asked for before the desk had an act that it has by now.
  #swapping(detail) {
    if (detail.target.id !== this.part || this.asked === this.answered) return;
    if (detail.requestConfig.elt.id === this.part) detail.shouldSwap = false;
    setTimeout(askAgain);
  }
}

const askAgain = () => document.body.dispatchEvent(new Event("version-changed"));
