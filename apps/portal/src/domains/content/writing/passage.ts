/** A stored passage: its text and the text around it (the W3C's TextQuoteSelector). */
export type Anchor = { quote: string; prefix: string; suffix: string }
export type FoundPassage = { from: number; to: number; changed: boolean }

const contextLength = 32
const maxQuote = 500

/** The passage between two offsets of a text. */
export const anchorOf = (text: string, from: number, to: number): Anchor => ({
  quote: text.slice(from, Math.min(to, from + maxQuote)),
  prefix: text.slice(Math.max(0, from - contextLength), from),
  suffix: text.slice(to, to + contextLength),
})

/**
 * Finds a passage in a text that may have changed: the same words, preferring the occurrence with the most similar
 * surroundings; or else what is now between those surroundings.
 * @returns undefined if the passage is gone
 */
export function findPassage(
  text: string,
  { quote, prefix, suffix }: Anchor,
): FoundPassage | undefined {
  if (!quote) return undefined
  let best: { from: number; likeness: number } | undefined
  for (let from = text.indexOf(quote); from >= 0; from = text.indexOf(quote, from + 1)) {
    const likeness =
      sameEnd(text.slice(0, from), prefix) + sameBeginning(text.slice(from + quote.length), suffix)
    if (!best || likeness > best.likeness) best = { from, likeness }
  }
  // One or two characters occur everywhere, so their surroundings must match too.
  if (best && (quote.length > 2 || best.likeness > 0))
    return { from: best.from, to: best.from + quote.length, changed: false }
  return between(text, quote, prefix.slice(-12), suffix.slice(0, 12))
}

/** The text between the old surroundings, if it is not much longer than the passage was. */
function between(
  text: string,
  quote: string,
  before: string,
  after: string,
): FoundPassage | undefined {
  if (before.length < 4 && after.length < 4) return undefined
  const maxLength = quote.length * 2 + 20
  for (let index = text.indexOf(before); index >= 0; index = text.indexOf(before, index + 1)) {
    const from = index + before.length
    const to = after ? text.indexOf(after, from) : text.length
    if (to > from && to - from <= maxLength) return { from, to, changed: true }
    if (!before) break
  }
  return undefined
}

function sameEnd(text: string, end: string) {
  let length = 0
  while (length < end.length && text[text.length - 1 - length] === end[end.length - 1 - length])
    length++
  return length
}
function sameBeginning(text: string, beginning: string) {
  let length = 0
  while (length < beginning.length && text[length] === beginning[length]) length++
  return length
}
