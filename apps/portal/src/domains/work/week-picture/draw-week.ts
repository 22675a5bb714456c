import { fitText, wrapText } from '#ui/media/canvas-text.ts'

/** The content of a picture of some days; minutes are from midnight. */
export type WeekPicture = {
  title: string
  /** hours on the axis, each with the time in a second zone */
  hours: { from: number; to: number; labels: readonly string[][] }
  /** headings above the hour columns */
  zones: readonly string[]
  days: readonly {
    name: string
    blocks: readonly DrawnBlock[]
  }[]
  bars: readonly { title: string; color: string; from: number; count: number; line: number }[]
}
type DrawnBlock = {
  title: string
  words: readonly string[]
  color: string
  start: number
  end: number
  lane: number
  lanes: number
}

const edge = 40
const hour = 96
const head = 60
const bar = 44
const axis = 92
const column = { one: 900, many: 210 }

/** Draws the days side by side as on the screen, in its colours. @throws if there is no canvas */
export async function drawWeek(week: WeekPicture): Promise<Blob> {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const font = (size: number, weight = 400) => `${weight} ${size}px ${token('--font')}`
  const { days, bars, hours, zones } = week
  const wide = days.length === 1 ? column.one : column.many
  const left = edge + axis * zones.length
  const lines = Math.max(0, ...bars.map(({ line }) => line + 1))
  const top = edge + 70 + head + lines * bar
  canvas.width = left + days.length * wide + edge
  canvas.height = top + (hours.to - hours.from) * hour + edge

  context.fillStyle = token('--surface')
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.textBaseline = 'top'
  const write = (text: string, x: number, y: number, room: number) =>
    context.fillText(fitText(context, text, room), x, y)
  context.fillStyle = token('--text')
  context.font = font(36, 600)
  write(week.title, edge, edge, canvas.width - 2 * edge)
  context.font = font(18)
  context.fillStyle = token('--text-2')
  for (const [at, zone] of zones.entries()) write(zone, edge + at * axis, edge + 74, axis - 8)
  context.font = font(22)
  for (const [at, { name }] of days.entries())
    write(name, left + at * wide + 8, edge + 70, wide - 16)

  context.fillStyle = token('--line')
  for (let at = 0; at <= hours.to - hours.from; at++)
    context.fillRect(left, top + at * hour, days.length * wide, 2)
  for (let at = 0; at <= days.length; at++)
    context.fillRect(left + at * wide, top, 2, (hours.to - hours.from) * hour)
  context.fillStyle = token('--text-3')
  context.font = font(20)
  for (const [at, labels] of hours.labels.entries())
    for (const [which, label] of labels.entries())
      write(label, edge + which * axis, top + at * hour + 4, axis - 8)

  const box = (color: string, x: number, y: number, width: number, height: number) => {
    context.fillStyle = token(`--${color}-bg`)
    context.fillRect(x, y, width, height)
    context.fillStyle = token(`--${color}`)
    context.fillRect(x, y, 5, height)
  }
  for (const { title, color, from, count, line } of bars) {
    const [x, y] = [left + from * wide + 2, edge + 70 + head + line * bar]
    box(color, x, y, count * wide - 4, bar - 4)
    context.font = font(20, 600)
    write(title, x + 14, y + 9, count * wide - 24)
  }
  for (const [at, { blocks }] of days.entries())
    for (const { title, words, color, start, end, lane, lanes } of blocks) {
      const x = left + at * wide + 4 + (lane / lanes) * (wide - 6)
      const y = top + (start / 60 - hours.from) * hour + 3
      const [width, height] = [(wide - 6) / lanes - 2, ((end - start) / 60) * hour - 4]
      box(color, x, y, width, height)
      context.font = font(20, 600)
      const room = width - 20
      const maxLines = Math.max(1, Math.floor((height - 8) / 26))
      const named = wrapText(context, title, room, Math.max(1, maxLines - 1))
      for (const [row, text] of named.entries()) context.fillText(text, x + 12, y + 6 + row * 26)
      context.font = font(18)
      for (const [row, word] of words.slice(0, maxLines - named.length).entries())
        write(word, x + 12, y + 6 + (named.length + row) * 26, room)
    }
  const picture = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, 'image/png'))
  if (!picture) throw new Error('no picture')
  return picture
}
