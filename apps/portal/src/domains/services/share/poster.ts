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
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  const font = (size: number, weight = 400) => `${weight} ${size}px ${token('--font')}`
  const maxWidth = width - 2 * edge

  context.font = font(48, 600)
  const title = wrapText(context, inLanguage(link.title, link.titleEn), maxWidth, lines.title)
  context.font = font(30)
  const text = wrapText(context, inLanguage(link.text, link.textEn), maxWidth, lines.text)
  const bar = 120
  const textTop = bar + 80 + title.length * 66 + 20
  const codeTop = textTop + text.length * 46 + 40
  const height = codeTop + codeSize + edge
  canvas.width = width
  canvas.height = height

  // Dark on light in every scheme, as scanners and printing require.
  context.fillStyle = token('--on-picture')
  context.fillRect(0, 0, width, height)
  context.fillStyle = token('--brand')
  context.fillRect(0, 0, width, bar)
  context.textBaseline = 'top'
  context.fillStyle = token('--on-brand')
  context.font = font(34, 600)
  context.fillText(wrapText(context, school, maxWidth, 1)[0] ?? '', edge, 43)
  context.fillStyle = token('--behind-picture')
  context.font = font(48, 600)
  for (const [at, line] of title.entries()) context.fillText(line, edge, bar + 60 + at * 66)
  context.globalAlpha = 0.7
  context.font = font(30)
  for (const [at, line] of text.entries()) context.fillText(line, edge, textTop + at * 46)
  const besideCode = width - 2 * edge - codeSize - 40
  const caption = [
    ...(link.sharerName === namelessSharer
      ? []
      : [m.share_by({ name: inLanguage(link.sharerName, link.sharerNameEn) })]),
    m.share_poster_scan(),
  ].flatMap((words) => wrapText(context, words, besideCode, 3))
  const captionTop = codeTop + codeSize / 2 - caption.length * 23
  for (const [at, line] of caption.entries()) context.fillText(line, edge, captionTop + at * 46)
  context.globalAlpha = 1
  drawCode(context, link.url, width - edge - codeSize, codeTop)

  const picture = await new Promise<Blob | null>((settle) => canvas.toBlob(settle, 'image/png'))
  if (!picture) throw new Error('no picture')
  return { address: URL.createObjectURL(picture), width, height }
}

function drawCode(context: CanvasRenderingContext2D, text: string, left: number, top: number) {
  const { data, size } = encode(text, { border: 2, ecc: 'L' })
  const dot = codeSize / size
  for (const [y, row] of data.entries())
    for (const [x, dark] of row.entries()) {
      if (!dark) continue
      // Whole pixels from edge to edge, so that there are no light lines between dark squares.
      const [x1, y1] = [Math.round(x * dot), Math.round(y * dot)]
      const [x2, y2] = [Math.round((x + 1) * dot), Math.round((y + 1) * dot)]
      context.fillRect(left + x1, top + y1, x2 - x1, y2 - y1)
    }
}
