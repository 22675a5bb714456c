/**
 * SHA-256 of a text of at most 55 Latin characters: one block (FIPS 180-4). The Web Crypto API needs HTTPS, and being
 * asynchronous it is slow for hashing many short texts.
 */
const constants = new Uint32Array(64)
const start = new Uint32Array(8)

// The first 32 bits of the fractional parts of the cube and square roots of the first primes.
for (let candidate = 2, found = 0; found < 64; candidate++) {
  let prime = true
  for (let divisor = 2; divisor * divisor <= candidate; divisor++)
    if (candidate % divisor === 0) prime = false
  if (!prime) continue
  if (found < 8) start[found] = (candidate ** (1 / 2) % 1) * 2 ** 32
  constants[found++] = (candidate ** (1 / 3) % 1) * 2 ** 32
}

const words = new Uint32Array(64)
const hash = new Uint32Array(8)
const turn = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits))
const at = (list: Uint32Array, index: number) => list[index] as number

/** Returns the eight words in a buffer that the next call overwrites. */
export function sha256(text: string): Uint32Array {
  words.fill(0)
  for (let i = 0; i < text.length; i++)
    words[i >> 2] = at(words, i >> 2) | (text.charCodeAt(i) << (24 - (i % 4) * 8))
  words[text.length >> 2] = at(words, text.length >> 2) | (0x80 << (24 - (text.length % 4) * 8))
  words[15] = text.length * 8
  for (let i = 16; i < 64; i++) {
    const early = at(words, i - 15)
    const late = at(words, i - 2)
    words[i] =
      at(words, i - 16) +
      (turn(early, 7) ^ turn(early, 18) ^ (early >>> 3)) +
      at(words, i - 7) +
      (turn(late, 17) ^ turn(late, 19) ^ (late >>> 10))
  }
  let a = at(start, 0)
  let b = at(start, 1)
  let c = at(start, 2)
  let d = at(start, 3)
  let e = at(start, 4)
  let f = at(start, 5)
  let g = at(start, 6)
  let h = at(start, 7)
  for (let i = 0; i < 64; i++) {
    const first =
      h +
      (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) +
      ((e & f) ^ (~e & g)) +
      at(constants, i) +
      at(words, i)
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  // The buffer is reused, since one captcha takes tens of thousands of hashes.
  hash[0] = at(start, 0) + a
  hash[1] = at(start, 1) + b
  hash[2] = at(start, 2) + c
  hash[3] = at(start, 3) + d
  hash[4] = at(start, 4) + e
  hash[5] = at(start, 5) + f
  hash[6] = at(start, 6) + g
  hash[7] = at(start, 7) + h
  return hash
}
