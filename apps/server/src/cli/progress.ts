/** Shows a bar on a terminal, else occasional lines; on standard error, so that standard output can be piped. */
export function openProgress(stream: NodeJS.WriteStream = process.stderr) {
  let drawn = ''
  let drawnAt = 0
  let told = 0
  const clear = () => {
    if (drawn) stream.write('\r\u001b[2K')
    drawn = ''
  }
  return {
    /** @param share 0 to 1 */
    show(share: number, text: string) {
      if (!stream.isTTY) {
        // One line per quarter.
        const quarter = Math.floor(share * 4)
        if (quarter > told && quarter < 4) stream.write(`${quarter * 25} %  ${text}\n`)
        told = Math.max(told, quarter)
        return
      }
      if (Date.now() - drawnAt < 100 && share < 1) return
      const filled = Math.round(Math.min(share, 1) * 24)
      drawn = `${'█'.repeat(filled)}${'░'.repeat(24 - filled)} ${String(Math.floor(share * 100)).padStart(3)} %  ${text}`
      drawnAt = Date.now()
      stream.write(`\r\u001b[2K${drawn}`)
    },
    /** Prints a permanent line above the bar. */
    line(text: string) {
      clear()
      stream.write(`${text}\n`)
    },
    done: clear,
  }
}

export const formatCount = (number: number) => number.toLocaleString('en')
