/** Splits a text into sentences; a line break always ends one. */
export const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[。！？!?；;]["”’」』）)]?)\s*(?=[^\s"”’」』）)])|(?<=[^\d][.!?]["”’)]?)\s+|\n+/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence))

/**
 * The sentences most relevant to the words, in text order; if none contains a word, the first sentence.
 * @param words lower case
 */
export function relevantSentences(
  sentences: readonly string[],
  words: readonly string[],
  max: number,
) {
  const weighted = sentences.map((sentence, at) => {
    const text = sentence.toLowerCase()
    const weight = words.reduce(
      (sum, word) => sum + (text.includes(word) ? Math.min(word.length, 6) : 0),
      0,
    )
    return { sentence, at, weight }
  })
  const matching = weighted.filter(({ weight }) => weight > 0)
  const chosen = (matching.length > 0 ? matching : weighted.slice(0, 1))
    .toSorted((one, other) => other.weight - one.weight || one.at - other.at)
    .slice(0, max)
  return chosen.toSorted((one, other) => one.at - other.at).map(({ sentence }) => sentence)
}
