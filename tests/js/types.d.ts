// What TypeScript does not know of our pages. Elements are looked up by attributes, so their kind is not known at the lookup: any
// element may have the properties of form controls, links, dialogs and templates that the scripts use.

interface Place {
  event: string;
  round: number;
  table: number;
}

interface PageEvents {
  "clock-tick": CustomEvent<{ now: number }>;
  "server-time": CustomEvent<{ low: number; high: number }>;
  "outbox-changed": CustomEvent<{ tables: (Place & { waiting: number; refused: number })[]; acts: any[] }>;
  "act-taken": CustomEvent<any>;
  "hand-written": CustomEvent<{ record: any; answer: any }>;
  "hand-refused": CustomEvent<{ record: any }>;
  "hand-wanted": CustomEvent<{ n: number }>;
  "htmx:configRequest": CustomEvent<any>;
  "presence-changed": CustomEvent<{ people: any[] }>;
  "table-learned": CustomEvent<Place & { seq: number; at: number }>;
  "hand-given": CustomEvent<{ line: string; given: import("../../static/calculator/tile_line.js").Given }>;
  "hand-changed": CustomEvent<{ whole: boolean; now: boolean }>;
  "hand-counted": CustomEvent<{ count: any; short: string }>;
  "htmx:beforeRequest": CustomEvent<any>;
  "htmx:afterRequest": CustomEvent<any>;
  "htmx:confirm": CustomEvent<any>;
  "htmx:beforeSwap": CustomEvent<any>;
  "htmx:afterSwap": CustomEvent<any>;
  "htmx:afterSettle": CustomEvent<any>;
}
interface DocumentEventMap extends PageEvents {}
interface HTMLElementEventMap extends PageEvents {}

interface PageElement {
  action: string;
  checked: boolean;
  content: DocumentFragment;
  dateTime: string;
  defaultChecked: boolean;
  defaultValue: string;
  disabled: boolean;
  elements: any;
  form: HTMLFormElement;
  href: string;
  localName: string;
  method: string;
  name: string;
  open: boolean;
  pathname: string;
  options: HTMLOptionsCollection;
  selectionDirection: "forward" | "backward" | "none";
  selectionEnd: number;
  selectionStart: number;
  target: string;
  type: string;
  value: string;
  close(): void;
  closest(selectors: string): HTMLElement | null;
  matches(selectors: string): boolean;
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
  requestSubmit(by?: HTMLElement): void;
  reset(): void;
  select(): void;
  setSelectionRange(start: number, end: number, direction?: string): void;
  showModal(): void;
}
interface HTMLElement extends PageElement {}
interface Element extends HTMLOrSVGElement, PageElement {
  hidden: HTMLElement["hidden"];
}
interface EventTarget extends Pick<PageElement, "closest" | "matches" | "querySelector"> {
  elements: any;
  id: string;
  value: any;
}
interface ParentNode {
  querySelector(selectors: string): HTMLElement | null;
  querySelectorAll(selectors: string): NodeListOf<HTMLElement>;
}

interface DocumentFragment {
  cloneNode(deep?: boolean): DocumentFragment;
}
// No form of ours sends files.
interface FormData {
  [Symbol.iterator](): FormDataIterator<[string, string]>;
}

declare var htmx: {
  trigger(at: Element, name: string, detail?: any): void;
  process(at: Element): void;
  ajax(verb: string, url: string, how: any): Promise<void>;
};
declare var idb: { openDB(name: string, version: number, how: any): Promise<any> };
type WorkerWords = { head: string; text: string; again: string };
declare const KEPT: { event: string; name: string; files: string[]; words: Record<string, WorkerWords> };
