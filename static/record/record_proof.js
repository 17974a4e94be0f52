// @ts-check
// SHA-256, and the check that one state of a record continues another (RFC 9162, 2.1.4.2). Its own SHA-256, because the browser's is
// there with https alone, and a hall has plain http. Hashes are 64 hexadecimal digits. Pure.

const WORD = 2 ** 32;

const fraction = (number) => Math.floor((number - Math.floor(number)) * WORD);

function primes(count) {
  const found = [];
  for (let each = 2; found.length < count; each += 1) {
    if (found.every((prime) => each % prime)) found.push(each);
  }
  return found;
}

const PRIMES = primes(64);
const ROUND = PRIMES.map((prime) => fraction(Math.cbrt(prime)) | 0);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)) | 0);

const turn = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * Return the SHA-256 of bytes.
 * @param {Uint8Array} bytes
 * @returns {Uint8Array}
 */
export function sha256(bytes) {
  const length = Math.ceil((bytes.length + 9) / 64) * 64;
  const padded = new DataView(new ArrayBuffer(length));
  bytes.forEach((byte, at) => {
    padded.setUint8(at, byte);
  });
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(length - 8, Math.floor((bytes.length * 8) / WORD));
  padded.setUint32(length - 4, (bytes.length * 8) >>> 0);
  const state = [...START];
  const words = new Int32Array(64);
  for (let block = 0; block < length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) words[at] = padded.getInt32(block + at * 4);
      else {
        const [two, fifteen] = [words[at - 2], words[at - 15]];
        const small = turn(fifteen, 7) ^ turn(fifteen, 18) ^ (fifteen >>> 3);
        const large = turn(two, 17) ^ turn(two, 19) ^ (two >>> 10);
        words[at] = (words[at - 16] + small + words[at - 7] + large) | 0;
      }
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let at = 0; at < 64; at += 1) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[at] + words[at]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => {
      state[at] = (state[at] + word) | 0;
    });
  }
  const out = new DataView(new ArrayBuffer(32));
  state.forEach((word, at) => {
    out.setInt32(at * 4, word);
  });
  return new Uint8Array(out.buffer);
}

const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const node = (left, right) => hexOf(sha256(Uint8Array.of(1, ...bytesOf(left), ...bytesOf(right))));

/**
 * Tell whether a proof shows that the record of `second` acts continues that of `first`.
 * @param {number} first
 * @param {number} second
 * @param {string} firstRoot
 * @param {string} secondRoot
 * @param {string[]} proof
 * @returns {boolean}
 */
export function isConsistent(first, second, firstRoot, secondRoot, proof) {
  if (!(first > 0 && first <= second)) return false;
  if (first === second) return firstRoot === secondRoot && !proof.length;
  const path = Number.isInteger(Math.log2(first)) ? [firstRoot, ...proof] : [...proof];
  if (!path.length) return false;
  let [at, last] = [first - 1, second - 1];
  while (at % 2) [at, last] = [at >> 1, last >> 1];
  let [before, now] = [path[0], path[0]];
  for (const each of path.slice(1)) {
    if (!last) return false;
    if (at % 2 || at === last) {
      [before, now] = [node(each, before), node(each, now)];
      while (at && at % 2 === 0) [at, last] = [at >> 1, last >> 1];
    } else now = node(now, each);
    [at, last] = [at >> 1, last >> 1];
  }
  return !last && before === firstRoot && now === secondRoot;
}
