/** A text cut to this width, ending with dots where there was more. */
export function fitText(pen: CanvasRenderingContext2D, text: string, room: number) {
  if (pen.measureText(text).width <= room) return text
  const letters = [...text]
  while (letters.length > 0 && pen.measureText(`${letters.join('')}…`).width > room) letters.pop()
  return `${letters.join('').trimEnd()}…`
}

/** A text in lines of this width, the last one cut where there is more. Latin words stay whole where they fit. */
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
