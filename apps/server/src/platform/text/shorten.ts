/** So many characters of a text at most, the last of them an ellipsis where there is more. */
export function shorten(text: string, maxLength: number): string {
  const characters = [...text]
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : text
}
