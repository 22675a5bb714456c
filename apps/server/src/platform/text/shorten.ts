/** Limits a text to this many characters, including the ellipsis. */
export function shorten(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text
}
