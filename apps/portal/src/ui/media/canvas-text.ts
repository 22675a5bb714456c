/** The text cut to this width in pixels, ending with an ellipsis if it was longer. */
export function fitText(context: CanvasRenderingContext2D, text: string, maxWidth: number) {
  if (context.measureText(text).width <= maxWidth) return text
  const letters = [...text]
  while (letters.length > 0 && context.measureText(`${letters.join('')}…`).width > maxWidth)
    letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/**
 * The text wrapped to this width in pixels; the last line ends with an ellipsis if there is more. Latin words are not
 * split if they fit.
 */
export function wrapText(
  context: CanvasRenderingContext2D,
  text: string,
  maxWidth: number,
  maxLines: number,
): string[] {
  const parts = text.trim().match(/[\u0021-\u024f]+|\s+|./gsu) ?? []
  const done: string[] = []
  let line = ''
  for (const [index, part] of parts.entries()) {
    if (line && context.measureText(line + part).width > maxWidth) {
      if (done.length + 1 === maxLines)
        return [...done, fitText(context, line + parts.slice(index).join(''), maxWidth)]
      done.push(fitText(context, line.trimEnd(), maxWidth))
      line = ''
    }
    line += line ? part : part.trimStart()
  }
  return line ? [...done, fitText(context, line, maxWidth)] : done
}
