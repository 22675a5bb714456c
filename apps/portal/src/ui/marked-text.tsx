import { Fragment } from 'react'

/** A text in which the search terms are marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  return markedParts(text, words).map(({ part, found, at }) =>
    found ? <mark key={at}>{part}</mark> : <Fragment key={at}>{part}</Fragment>,
  )
}

/** Splits a text at the given words, ignoring case; longer words take precedence. */
export function markedParts(text: string, words: readonly string[]) {
  const terms = words
    .map((word) => word.trim())
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
  if (terms.length === 0) return [{ part: text, found: false, at: 0 }]
  const pattern = new RegExp(
    `(${terms.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|')})`,
    'gi',
  )
  let at = 0
  return text.split(pattern).flatMap((part, index) => {
    const here = { part, found: index % 2 === 1, at }
    at += part.length
    return part ? [here] : []
  })
}
