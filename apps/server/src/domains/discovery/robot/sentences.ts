/** A text as its sentences; a line is one at least. */
export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[。！？!?；;]["”’」』）)]?)\s*(?=[^\s"”’」』）)])|(?<=[^\d][.!?]["”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/**
 * The sentences that say most about the words, in the order of the text; where none holds any of them, the first.
 * @param words lower case
 */
export function telling(sentences: readonly string[], words: readonly string[], max: number) {
  const weighed = sentences.map((sentence, at) => {
    const text = sentence.toLowerCase()
    const weight = words.reduce(
      (sum, word) => sum + (text.includes(word) ? Math.min(word.length, 6) : 0),
      0,
    )
    return { sentence, at, weight }
  })
  const holding = weighed.filter(({ weight }) => weight > 0)
  const chosen = (holding.length > 0 ? holding : weighed.slice(0, 1))
    .toSorted((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, max)
  return chosen.toSorted((one, other) => one.at - other.at).map(({ sentence }) => sentence)
}
