import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { fail } from '#platform/http/errors.ts'
import { type Format, focalCrop, formatOf, type ImageRequest, targetSize } from './rules.ts'

/** Maximum pixels to decode: a small file may contain an enormous picture. */
const maxPixels = 40_000_000
const seconds = 10

/** Maximum pictures made concurrently; more would only wait for the CPU. */
const maxConcurrent = Math.max(2, availableParallelism())
const maxWaiting = 200
let running = 0
const queue: (() => void)[] = []

// One thread per picture, as several are made concurrently. The library's cache would duplicate the disk cache.
sharp.concurrency(1)
sharp.cache(false)

/** True while no request waits for a picture, so that background work may run. */
export const isIdle = () => running === 0 && queue.length === 0

/**
 * Makes the requested picture. Camera and location metadata are removed.
 * @param format of the result; `plain`: JPEG, or PNG if the picture has transparency
 * @throws image.unsupported, image.too_large, image.busy
 */
export async function makePicture(
  bytes: Buffer,
  requested: ImageRequest,
  format: Format | 'plain',
): Promise<Buffer> {
  // SVG is never rendered here: it can contain scripts and be of any size, and it is small enough to be sent unchanged.
  if (!formatOf(bytes)) fail('image.unsupported')
  if (running >= maxConcurrent) {
    if (queue.length >= maxWaiting) fail('image.busy', { retryAfter: 2 })
    await new Promise<void>((resolve) => queue.push(resolve))
  }
  running++
  try {
    return await transform(bytes, requested, format)
  } catch (error) {
    const message = (error as Error).message
    return fail(/pixel limit|timeout/i.test(message) ? 'image.too_large' : 'image.unsupported')
  } finally {
    running--
    queue.shift()?.()
  }
}

async function transform(
  bytes: Buffer,
  requested: ImageRequest,
  format: Format | 'plain',
): Promise<Buffer> {
  const { fitIn, fill, background, grayscale, quality } = requested
  const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error' })
  const metadata = await image.metadata()
  const { width, height, crop } = targetSize(requested, metadata.autoOrient)
  image.timeout({ seconds }).autoOrient()
  const box = fill && fitIn && requested.width > 0 && requested.height > 0
  if (box)
    image.resize(requested.width, requested.height, { fit: 'contain', background: `#${fill}` })
  else if (crop && requested.focal) {
    const part = focalCrop(requested.focal, metadata.autoOrient, { width, height })
    image.resize(part.whole.width, part.whole.height, { fit: 'fill' }).extract(part.cut)
  } else image.resize(width, height, { fit: crop ? 'cover' : 'fill' })
  if (background) image.flatten({ background: `#${background}` })
  if (grayscale) image.grayscale()
  const target = format === 'plain' ? (metadata.hasAlpha && !background ? 'png' : 'jpeg') : format
  const options = { quality: quality ?? defaultQuality[target] }
  return image.toFormat(target, target === 'png' || target === 'gif' ? {} : options).toBuffer()
}

const defaultQuality: Record<Format, number> = { webp: 78, jpeg: 80, avif: 55, png: 100, gif: 100 }
