import { RowIssue } from './row-issue.ts'

export const textCell =
  (maxLength: number) =>
  (cell: string): string => {
    if ([...cell].length > maxLength) throw new RowIssue(`is longer than ${maxLength} characters`)
    return cell
  }
export const codeCell = (cell: string): string => {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._:-]{0,63}$/u.test(cell))
    throw new RowIssue(
      `is “${shortenCell(cell)}”; a code has letters, digits, dots, dashes and colons only, at most 64`,
    )
  return cell
}
export const integerCell = (cell: string): number => {
  if (!/^-?\d{1,9}$/.test(cell))
    throw new RowIssue(`is “${shortenCell(cell)}” and must be a whole number`)
  return Number(cell)
}
const yes = ['1', 'true', 'yes', 'y', 'on', '是', '启用', '上线']
const no = ['', '0', 'false', 'no', 'n', 'off', '否', '停用', '下线']
export const flagCell = (cell: string): boolean => {
  const word = cell.toLowerCase()
  if (yes.includes(word)) return true
  if (no.includes(word)) return false
  throw new RowIssue(`is “${shortenCell(cell)}” and must be yes or no (是 or 否)`)
}
/** Several codes in a cell, separated by semicolons or commas, Western or Chinese. */
export const listCell = (cell: string): string[] => [
  ...new Set(
    cell
      .split(/[;；,，、]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
]
export const choiceCell =
  <T extends string>(choices: Readonly<Record<T, readonly string[]>>) =>
  (cell: string): T => {
    const word = cell.toLowerCase()
    const found = (Object.keys(choices) as T[]).find(
      (choice) => choice === word || choices[choice].includes(word),
    )
    if (!found)
      throw new RowIssue(
        `is “${shortenCell(cell)}” and must be one of ${Object.keys(choices).join(', ')}`,
      )
    return found
  }
/** Shortens a cell for use in a sentence. */
export const shortenCell = (cell: string) => (cell.length > 60 ? `${cell.slice(0, 57)}…` : cell)
