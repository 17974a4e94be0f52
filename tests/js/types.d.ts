declare global {
  interface ParentNode {
    querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
    querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
  }
  interface Element {
    closest<E extends Element = HTMLElement>(selectors: string): E | null;
  }
}
export {};
