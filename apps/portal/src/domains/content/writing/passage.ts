/** A passage as it is kept: what it said, and what stood around it (the W3C's text quote selector). */
export type Anchor = { quote: string; prefix: string; suffix: string }
export type Found = { from: number; to: number; changed: boolean }

const around = 32
const longest = 500

/** The passage from one place of a text to another. */
export const anchorOf = (text: string, from: number, to: number): Anchor => ({
  quote: text.slice(from, Math.min(to, from + longest)),
  prefix: text.slice(Math.max(0, from - around), from),
  suffix: text.slice(to, to + around),
})

/**
 * Where a passage is in a text that may have changed since: the same words, of several the ones that stand between the same
 * others; or what now stands between those.
 * @returns nothing where the passage is gone
 */
export function findPassage(text: string, { quote, prefix, suffix }: Anchor): Found | undefined {
  if (!quote) return undefined
  let best: { from: number; likeness: number } | undefined
  for (let from = text.indexOf(quote); from >= 0; from = text.indexOf(quote, from + 1)) {
    const likeness =
      sameEnd(text.slice(0, from), prefix) + sameBeginning(text.slice(from + quote.length), suffix)
    if (!best || likeness > best.likeness) best = { from, likeness }
  }
  // One or two letters are everywhere: they need their surroundings.
  if (best && (quote.length > 2 || best.likeness > 0))
    return { from: best.from, to: best.from + quote.length, changed: false }
  return between(text, quote, prefix.slice(-12), suffix.slice(0, 12))
}

/** What stands between what stood before it and behind it, where that is not much more than it was. */
function between(text: string, quote: string, before: string, behind: string): Found | undefined {
  if (before.length < 4 && behind.length < 4) return undefined
  const room = quote.length * 2 + 20
  for (let at = text.indexOf(before); at >= 0; at = text.indexOf(before, at + 1)) {
    const from = at + before.length
    const to = behind ? text.indexOf(behind, from) : text.length
    if (to > from && to - from <= room) return { from, to, changed: true }
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
