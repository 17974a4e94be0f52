import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import vm from "node:vm";

const SOURCE = await readFile(new URL("../../static/js/worker.js", import.meta.url), "utf-8");

// A browser whose store opens only when `open` is called, as on a phone that is slow; `now` is its clock.
function browser() {
  const heard = new Map();
  const kept = new Map();
  const cache = {
    put: async (path, response) => kept.set(path, response),
    delete: async (path) => kept.delete(path),
    keys: async () => [],
  };
  const all = { heard, kept, now: 1000, open: () => {} };
  const opened = new Promise((resolve) => {
    all.open = () => resolve(cache);
  });
  vm.runInNewContext(SOURCE, {
    KEPT: { event: "/e/cup/", name: "cup", files: [], words: {} },
    self: { addEventListener: (name, act) => heard.set(name, act) },
    caches: { open: () => opened },
    fetch: async () => Object.defineProperty(new Response("<p>round 1"), "type", { value: "basic" }),
    location: { origin: "http://desk" },
    Date: { now: () => all.now },
    Headers,
    Response,
    URL,
    setTimeout: () => {},
  });
  return all;
}

const NAVIGATION = { request: { method: "GET", mode: "navigate", url: "http://desk/e/cup/" } };
const KEEP = { data: { keep: "/e/cup/" } };

for (const [name, given] of [
  ["fetch", NAVIGATION],
  ["message", KEEP],
]) {
  test(`by ${name}, a page has the time of its answer, however slow the store is`, async () => {
    const phone = browser();
    const waits = [];
    const asked = [];
    phone.heard.get(name)({ ...given, waitUntil: (work) => waits.push(work), respondWith: (answer) => asked.push(answer) });
    await Promise.all(asked);
    phone.now = 2000; // what the page learns now is newer than what is kept
    phone.open();
    await Promise.all(waits);
    assert.equal(phone.kept.get("/e/cup/").headers.get("X-Kept-At"), "1000");
  });
}
