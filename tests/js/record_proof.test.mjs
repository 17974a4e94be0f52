import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import test from "node:test";

import { isConsistent, sha256 } from "../../static/record/record_proof.js";

// written by tests/record/test_merkle.py from the Python side
const PROOFS = JSON.parse(readFileSync(new URL("proofs.json", import.meta.url), "utf8"));

test("SHA-256 is that of the browser at every length around a block", () => {
  for (const length of [0, 1, 3, 55, 56, 57, 63, 64, 65, 119, 120, 1000]) {
    const bytes = Uint8Array.from({ length }, (_none, at) => (at * 7) % 256);
    assert.equal(Buffer.from(sha256(bytes)).toString("hex"), createHash("sha256").update(bytes).digest("hex"), `${length}`);
  }
});

test("a proof of the server is taken, and any other is not", () => {
  for (const { first, second, roots, proof } of PROOFS) {
    const [one, two] = roots;
    assert.equal(isConsistent(first, second, one, two, proof), true, `${first} ${second}`);
    assert.equal(isConsistent(first, second, "0".repeat(64), two, proof), false);
    assert.equal(isConsistent(first, second, one, "0".repeat(64), proof), false);
    assert.equal(isConsistent(first, second, one, two, [...proof, "0".repeat(64)]), false);
    if (proof.length) assert.equal(isConsistent(first, second, one, two, proof.slice(1)), false);
  }
});

test("a shorter record does not continue a longer one", () => {
  assert.equal(isConsistent(3, 2, "a", "b", []), false);
  assert.equal(isConsistent(0, 2, "a", "b", []), false);
});
