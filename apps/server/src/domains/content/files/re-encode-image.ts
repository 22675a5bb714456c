import sharp, { type Sharp } from 'sharp'
import { fail } from '#platform/http/errors.ts'

/** Maximum pixels, above any phone camera; checked before decoding. */
const maxPixels = 64_000_000
/** Maximum side in pixels that is stored; all derived pictures are smaller. */
const maxSide = 6000
const seconds = 30
/** Maximum pictures decoded concurrently. */
const atOnce = 2
let running = 0
const waiting: (() => void)[] = []

/**
 * Re-encodes a picture, which removes camera and location metadata and anything else embedded in it.
 * @param target path of the new file
 * @param square side in pixels: crop to the most salient square and keep the first frame only
 * @returns media type and file extension
 * @throws file.picture_too_large, file.content_mismatch
 */
export async function redrawPicture(source: string, target: string, square?: number) {
  if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    const about = await sharp(source, { limitInputPixels: false, pages: 1 }).metadata()
    const pages = square ? 1 : (about.pages ?? 1)
    if (about.width * about.height * pages > maxPixels) fail('file.picture_too_large')
    const image = sharp(source, {
      limitInputPixels: maxPixels,
      failOn: 'error',
      animated: pages > 1,
    }).timeout({ seconds })
    if (pages === 1) {
      image.autoOrient()
      if (square) image.resize(square, square, { fit: 'cover', position: 'attention' })
      else if (Math.max(about.width, about.height) > maxSide)
        image.resize(maxSide, maxSide, { fit: 'inside', withoutEnlargement: true })
    }
    const { to, mediaType, ending } = outcomes[about.format ?? ''] ?? fail('file.content_mismatch')
    await to(image.keepIccProfile()).toFile(target)
    return { mediaType, ending }
  } catch (error) {
    const said = (error as Error).message
    if ('code' in (error as object)) throw error
    return fail(
      /pixel limit|timeout/i.test(said) ? 'file.picture_too_large' : 'file.content_mismatch',
    )
  } finally {
    running--
    waiting.shift()?.()
  }
}

type Outcome = { to: (image: Sharp) => Sharp; mediaType: string; ending: string }
const webp: Outcome = {
  to: (image) => image.webp({ quality: 85 }),
  mediaType: 'image/webp',
  ending: 'webp',
}
const outcomes: Record<string, Outcome> = {
  jpeg: { to: (image) => image.jpeg({ quality: 88 }), mediaType: 'image/jpeg', ending: 'jpg' },
  png: { to: (image) => image.png(), mediaType: 'image/png', ending: 'png' },
  gif: { to: (image) => image.gif(), mediaType: 'image/gif', ending: 'gif' },
  webp,
  // Encoding AVIF takes seconds.
  heif: webp,
}
