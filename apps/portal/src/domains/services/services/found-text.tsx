import { Fragment } from 'react'

/** A text in which the words that were looked for are marked. */
export function FoundText({ text, words }: { text: string; words: string }) {
  return partsOf(text, words).map(({ part, found, at }) =>
    found ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>,
  )
}

type Part = { part: string; found: boolean; at: number }

/** Cuts a text where the words stand, whatever their case. */
export function partsOf(text: string, words: string): Part[] {
  const wanted = words.trim().toLowerCase()
  const lower = text.toLowerCase()
  // Lower case may be longer than the original in a few scripts; places would then not fit.
  if (!wanted || lower.length !== text.length) return [{ part: text, found: false, at: 0 }]
  const parts: Part[] = []
  let at = 0
  for (let next = lower.indexOf(wanted); next !== -1; next = lower.indexOf(wanted, at)) {
    if (next > at) parts.push({ part: text.slice(at, next), found: false, at })
    parts.push({ part: text.slice(next, next + wanted.length), found: true, at: next })
    at = next + wanted.length
  }
  if (at < text.length) parts.push({ part: text.slice(at), found: false, at })
  return parts
}
