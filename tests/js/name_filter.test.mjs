import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { wordsOf } from "../../static/js/name_filter.js";

const NAMES = JSON.parse(readFileSync(new URL("names.json", import.meta.url), "utf8"));

test("a typed name folds as the server folds it", () => {
  for (const [name, words] of NAMES) assert.deepEqual(wordsOf(name), words, name);
});
