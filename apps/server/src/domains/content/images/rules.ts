import { createHmac, timingSafeEqual } from 'node:crypto'

export const formats = ['webp', 'jpeg', 'png', 'gif', 'avif'] as const
export type Format = (typeof formats)[number]

/** A parsed image address. */
export type ImageRequest = {
  /** scaled to fit the box, never cropped or enlarged */
  fitIn: boolean
  /** pixels; 0: in proportion to the other side, or the original size */
  width: number
  height: number
  /** rrggbb, behind transparent parts */
  background?: string
  /** rrggbb, for the part of the box not covered */
  fill?: string
  grayscale?: true
  noUpscale?: true
  /** point to keep visible when cropping, in percent from the left and the top */
  focal?: { x: number; y: number }
  format?: Format
  /** 1 to 100 */
  quality?: number
  /** the source picture's address, decoded */
  source: string
}

/** Maximum side in pixels of a result. */
const maxSide = 2000

/** Splits the part after `/thumbor/` into signature and request, without decoding either. */
export function splitAddress(address: string): { signature: string; rest: string } | undefined {
  const slash = address.indexOf('/')
  return slash < 1
    ? undefined
    : { signature: address.slice(0, slash), rest: address.slice(slash + 1) }
}

/** thumbor's signature: URL-safe base64 of HMAC-SHA1 over everything after it, as sent. */
export const signatureOf = (key: string, rest: string) =>
  createHmac('sha1', key).update(rest).digest('base64').replaceAll('+', '-').replaceAll('/', '_')

export function isSigned(key: string, rest: string, signature: string) {
  const expected = Buffer.from(signatureOf(key, rest))
  const provided = Buffer.from(signature)
  return expected.length === provided.length && timingSafeEqual(expected, provided)
}

/**
 * Parses the supported part of thumbor's grammar: `[fit-in/][WxH/][filters:…/]picture`. Unknown parts are taken as the
 * beginning of the picture's address, and refused there.
 */
export function parseImageRequest(rest: string): ImageRequest | undefined {
  if (rest.length > 4000) return undefined
  let remaining = rest
  const takeSegment = (shape: RegExp) => {
    const slash = remaining.indexOf('/')
    const found = slash < 0 ? null : shape.exec(decoded(remaining.slice(0, slash)) ?? '')
    if (found) remaining = remaining.slice(slash + 1)
    return found
  }
  const fitIn = takeSegment(/^fit-in$/) !== null
  const size = takeSegment(/^(\d{0,5}|orig)x(\d{0,5}|orig)$/)
  const filters = takeSegment(/^filters:(.*)$/)
  const width = pixels(size?.[1])
  const height = pixels(size?.[2])
  const source = decoded(remaining)
  if (!source || width > maxSide || height > maxSide) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(source) || !source.isWellFormed()) return undefined
  const request: ImageRequest = { fitIn, width, height, source }
  return readFilters(filters?.[1] ?? '', request) ? request : undefined
}

const pixels = (text = '') => (text === 'orig' ? 0 : Number(text))

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Applies `name(argument):name(argument)`. @returns false if a filter is not supported */
function readFilters(text: string, request: ImageRequest): boolean {
  if (text === '') return true
  if (text.length > 300) return false
  // Parsed separately, as its argument contains a colon: thumbor's box around the point, as fractions of the sides.
  const [focal = '', left = 0, top = 0, right = 0, bottom = 0] =
    /focal\((\d(?:\.\d+)?)x(\d(?:\.\d+)?):(\d(?:\.\d+)?)x(\d(?:\.\d+)?)\)/
      .exec(text)
      ?.map((part, index) => (index === 0 ? part : Number(part))) ?? []
  if (focal !== '') {
    const [x, y] = [(Number(left) + Number(right)) / 2, (Number(top) + Number(bottom)) / 2]
    if (x > 1 || y > 1) return false
    request.focal = { x: Math.round(x * 100), y: Math.round(y * 100) }
  }
  for (const part of text.replace(String(focal), '').split(':').filter(Boolean)) {
    const [, name, argument = ''] = /^(\w+)\(([^()]*)\)$/.exec(part) ?? []
    if (name === 'grayscale') request.grayscale = true
    else if (name === 'no_upscale') request.noUpscale = true
    else if (name === 'background_color' || name === 'fill') {
      const color = colorOf(argument)
      if (!color) return false
      request[name === 'fill' ? 'fill' : 'background'] = color
    } else if (name === 'format') {
      const format = formats.find((known) => known === argument.replace(/^jpg$/, 'jpeg'))
      if (!format) return false
      request.format = format
    } else if (name === 'quality') {
      if (!/^\d{1,3}$/.test(argument) || Number(argument) > 100) return false
      request.quality = Math.max(1, Number(argument))
    }
    // Metadata is always removed.
    else if (name !== 'strip_exif') return false
  }
  return true
}

/** The sixteen colour names of HTML; other colours are hexadecimal. */
const colors: Record<string, string> = {
  white: 'ffffff',
  black: '000000',
  silver: 'c0c0c0',
  gray: '808080',
  red: 'ff0000',
  maroon: '800000',
  yellow: 'ffff00',
  olive: '808000',
  lime: '00ff00',
  green: '008000',
  aqua: '00ffff',
  teal: '008080',
  blue: '0000ff',
  navy: '000080',
  fuchsia: 'ff00ff',
  purple: '800080',
}
function colorOf(text: string) {
  const lower = text.toLowerCase()
  if (Object.hasOwn(colors, lower)) return colors[lower]
  if (/^[0-9a-f]{6}$/.test(lower)) return lower
  return /^[0-9a-f]{3}$/.test(lower) ? lower.replaceAll(/./g, '$&$&') : undefined
}

/** The format according to the first bytes; undefined for SVG and anything that is not a raster image. */
export function formatOf(bytes: Buffer): Format | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF.{4}WEBP$/s.test(head)) return 'webp'
  return /^.{4}ftypavi[fs]$/s.test(head) ? 'avif' : undefined
}

/** Whether a browser accepts a format. */
export const accepts = (accept: string | undefined, format: 'webp' | 'avif') =>
  new RegExp(`image/${format}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accept ?? '')

type Size = { width: number; height: number }

/** Size of the whole scaled picture, and the region to cut out so that the focal point is as central as possible. */
export function focalCrop(focal: { x: number; y: number }, from: Size, to: Size) {
  const scale = Math.max(to.width / from.width, to.height / from.height)
  const whole = {
    width: Math.max(to.width, Math.round(from.width * scale)),
    height: Math.max(to.height, Math.round(from.height * scale)),
  }
  const place = (share: number, all: number, part: number) =>
    Math.min(all - part, Math.max(0, Math.round((all * share) / 100 - part / 2)))
  return {
    whole,
    cut: {
      left: place(focal.x, whole.width, to.width),
      top: place(focal.y, whole.height, to.height),
      ...to,
    },
  }
}

/** The target size for a picture of this size; `crop`: it is cropped around the centre. */
export function targetSize(
  request: Pick<ImageRequest, 'fitIn' | 'width' | 'height' | 'noUpscale'>,
  from: { width: number; height: number },
): { width: number; height: number; crop: boolean } {
  const { fitIn, width, height, noUpscale } = request
  if (!fitIn && width > 0 && height > 0) {
    const larger = width > from.width || height > from.height
    if (!larger || !noUpscale) return { width, height, crop: true }
    return {
      width: Math.min(width, from.width),
      height: Math.min(height, from.height),
      crop: true,
    }
  }
  // With one side, both or none given: in proportion, and within the maximum size.
  const scale = Math.min(
    (width || Number.POSITIVE_INFINITY) / from.width,
    (height || Number.POSITIVE_INFINITY) / from.height,
  )
  const free = scale === Number.POSITIVE_INFINITY
  const bounded = Math.min(
    free || ((fitIn || noUpscale) && scale > 1) ? 1 : scale,
    maxSide / from.width,
    maxSide / from.height,
  )
  return {
    width: Math.max(1, Math.round(from.width * bounded)),
    height: Math.max(1, Math.round(from.height * bounded)),
    crop: false,
  }
}
