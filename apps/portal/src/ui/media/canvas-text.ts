/** The text cut to this width in pixels, ending with an ellipsis if it was longer. */
export function fitText(pen: CanvasRenderingContext2D, text: string, room: number) {
  if (pen.measureText(text).width <= room) return text
  const letters = [...text]
  while (letters.length > 0 && pen.measureText(`${letters.join('')}…`).width > room) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/**
 * The text wrapped to this width in pixels; the last line ends with an ellipsis if there is more. Latin words are not
 * split if they fit.
 */
export function wrapText(
  pen: CanvasRenderingContext2D,
  text: string,
  room: number,
  maxLines: number,
): string[] {
  const parts = text.trim().match(/[\u0021-\u024f]+|\s+|./gsu) ?? []
  const done: string[] = []
  let line = ''
  for (const [at, part] of parts.entries()) {
    if (line && pen.measureText(line + part).width > room) {
      if (done.length + 1 === maxLines)
        return [...done, fitText(pen, line + parts.slice(at).join(''), room)]
      done.push(fitText(pen, line.trimEnd(), room))
      line = ''
    }
    line += line ? part : part.trimStart()
  }
  return line ? [...done, fitText(pen, line, room)] : done
}
