/**
 * The subject of a question: the text without its question words; empty if nothing is left.
 * @param asked matches one kind of question; no flags
 * @returns undefined if the text is not such a question
 */
export function subjectOf(text: string, asked: RegExp): string | undefined {
  if (!asked.test(text)) return undefined
  return text
    .replace(asked, ' ')
    .replaceAll(/[?？!！。，,]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(请问|我想|我要|我的|我|the|my|a|an|does|do|is|are)(?=\s|\p{Script=Han})\s*/u, '')
    .replace(/\s*(的|了|吗|呢|是|都| is| are| does|'s| of| for)$/, '')
    .trim()
}
