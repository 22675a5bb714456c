import sharp, { type Sharp } from 'sharp'
import { fail } from '#platform/http/errors.ts'

/** Maximum pixels, above any phone camera; checked before decoding. */
const maxPixels = 64_000_000
/** Maximum side in pixels that is stored; all derived pictures are smaller. */
const maxSide = 6000
const seconds = 30
/** Maximum pictures decoded concurrently. */
const maxConcurrent = 2
let running = 0
const queue: (() => void)[] = []

/**
 * Re-encodes a picture, which removes camera and location metadata and anything else embedded in it.
 * @param target path of the new file
 * @param square side in pixels: crop to the most salient square and keep the first frame only
 * @returns media type and file extension
 * @throws file.picture_too_large, file.content_mismatch
 */
export async function reencodeImage(source: string, target: string, square?: number) {
  if (running >= maxConcurrent) await new Promise<void>((resolve) => queue.push(resolve))
  running++
  try {
    const metadata = await sharp(source, { limitInputPixels: false, pages: 1 }).metadata()
    const pages = square ? 1 : (metadata.pages ?? 1)
    if (metadata.width * metadata.height * pages > maxPixels) fail('file.picture_too_large')
    const image = sharp(source, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      animated: pages > 1,
    }).timeout({ seconds })
    if (pages === 1) {
      image.autoOrient()
      if (square) image.resize(square, square, { fit: 'cover', position: 'attention' })
      else if (Math.max(metadata.width, metadata.height) > maxSide)
        image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    }
    const { encode, mediaType, ending } =
      encoders[metadata.format ?? ''] ?? fail('file.content_mismatch')
    await encode(image.keepIccProfile()).toFile(target)
    return { mediaType, ending }
  } catch (error) {
    const message = (error as Error).message
    if ('code' in (error as object)) throw error
    return fail(
      /pixel limit|timeout/i.test(message) ? 'file.picture_too_large' : 'file.content_mismatch',
    )
  } finally {
    running--
    queue.shift()?.()
  }
}

type Encoder = { encode: (image: Sharp) => Sharp; mediaType: string; ending: string }
const webp: Encoder = {
  encode: (image) => image.webp({ quality: 85 }),
  mediaType: 'image/webp',
  ending: 'webp',
}
const encoders: Record<string, Encoder> = {
  jpeg: { encode: (image) => image.jpeg({ quality: 88 }), mediaType: 'image/jpeg', ending: 'jpg' },
  png: { encode: (image) => image.png(), mediaType: 'image/png', ending: 'png' },
  gif: { encode: (image) => image.gif(), mediaType: 'image/gif', ending: 'gif' },
  webp,
  // Encoding AVIF takes seconds.
  heif: webp,
}
