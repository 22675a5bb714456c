import { namelessSharer, type ShareLink } from '@atrium/contract/services/share'
import { encode } from 'uqr'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { wrapText } from '#ui/media/canvas-text.ts'

/** A picture on this device. */
export type Poster = { address: string; width: number; height: number }

/** Canvas pixels: a multiple of a small phone's width, so that the picture stays sharp when forwarded. */
const width = 750
const edge = 60
const codeSize = 360
const lines = { title: 4, text: 4 }

/**
 * Draws a picture with the QR code of the shared link: institution, title, summary and sharer. A picture can be sent
 * where a link cannot.
 */
export async function drawPoster(link: ShareLink, school: string): Promise<Poster> {
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('no canvas')
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const font = (size: number, weight = 400) => `${weight} ${size}px ${token('--font')}`
  const room = width - 2 * edge

  pen.font = font(48, 600)
  const title = wrapText(pen, inLanguage(link.title, link.titleEn), room, lines.title)
  pen.font = font(30)
  const text = wrapText(pen, inLanguage(link.text, link.textEn), room, lines.text)
  const bar = 120
  const textTop = bar + 80 + title.length * 66 + 20
  const codeTop = textTop + text.length * 46 + 40
  const height = codeTop + codeSize + edge
  canvas.width = width
  canvas.height = height

  // Dark on light in every scheme, as scanners and printing require.
  pen.fillStyle = token('--on-picture')
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = token('--brand')
  pen.fillRect(0, 0, width, bar)
  pen.textBaseline = 'top'
  pen.fillStyle = token('--on-brand')
  pen.font = font(34, 600)
  pen.fillText(wrapText(pen, school, room, 1)[0] ?? '', edge, 43)
  pen.fillStyle = token('--behind-picture')
  pen.font = font(48, 600)
  for (const [at, line] of title.entries()) pen.fillText(line, edge, bar + 60 + at * 66)
  pen.globalAlpha = 0.7
  pen.font = font(30)
  for (const [at, line] of text.entries()) pen.fillText(line, edge, textTop + at * 46)
  const beside = width - 2 * edge - codeSize - 40
  const said = [
    ...(link.sharerName === namelessSharer ? [] : [m.share_by({ name: link.sharerName })]),
    m.share_poster_scan(),
  ].flatMap((words) => wrapText(pen, words, beside, 3))
  const saidTop = codeTop + codeSize / 2 - said.length * 23
  for (const [at, line] of said.entries()) pen.fillText(line, edge, saidTop + at * 46)
  pen.globalAlpha = 1
  drawCode(pen, link.url, width - edge - codeSize, codeTop)

  const picture = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, 'image/png'))
  if (!picture) throw new Error('no picture')
  return { address: URL.createObjectURL(picture), width, height }
}

function drawCode(pen: CanvasRenderingContext2D, text: string, left: number, top: number) {
  const { data, size } = encode(text, { border: 2, ecc: 'L' })
  const dot = codeSize / size
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) {
      if (!dark) continue
      // Whole pixels from edge to edge, so that there are no light lines between dark squares.
      const [x1, y1] = [Math.round(x * dot), Math.round(y * dot)]
      const [x2, y2] = [Math.round((x + 1) * dot), Math.round((y + 1) * dot)]
      pen.fillRect(left + x1, top + y1, x2 - x1, y2 - y1)
    }
}
