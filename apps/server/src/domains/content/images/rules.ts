import { createHmac, timingSafeEqual } from 'node:crypto'

export const formats = ['webp', 'jpeg', 'png', 'gif', 'avif'] as const
export type Format = (typeof formats)[number]

/** What an image address asks for. */
export type Wanted = {
  /** scaled into the box, never cut and never larger than it is */
  fitIn: boolean
  /** pixels; 0: in proportion to the other, or as it is */
  width: number
  height: number
  /** rrggbb, behind what is transparent */
  background?: string
  /** rrggbb, around what does not fill the box */
  fill?: string
  grayscale?: true
  noUpscale?: true
  /** what stays in sight where it is cut, hundredths from the left and from above */
  focal?: { x: number; y: number }
  format?: Format
  /** 1 to 100 */
  quality?: number
  /** the picture's own address, decoded */
  source: string
}

/** Pixels of a side that we make, at most. */
const maxSide = 2000

/** The parts behind `/thumbor/`: how the sender shows its right, and what it asks for, byte for byte. */
export function splitAddress(address: string): { right: string; rest: string } | undefined {
  const slash = address.indexOf('/')
  return slash < 1 ? undefined : { right: address.slice(0, slash), rest: address.slice(slash + 1) }
}

/** thumbor's signature: URL-safe base64 of HMAC-SHA1 over everything behind it, as it was sent. */
export const signatureOf = (key: string, rest: string) =>
  createHmac('sha1', key).update(rest).digest('base64').replaceAll('+', '-').replaceAll('/', '_')

export function isSigned(key: string, rest: string, signature: string) {
  const wanted = Buffer.from(signatureOf(key, rest))
  const given = Buffer.from(signature)
  return wanted.length === given.length && timingSafeEqual(wanted, given)
}

/**
 * Reads the part of thumbor's grammar that is in use: `[fit-in/][WxH/][filters:…/]picture`. What it does not know is taken
 * for the beginning of the picture's address, and refused there.
 */
export function parseWanted(rest: string): Wanted | undefined {
  if (rest.length > 4000) return undefined
  let left = rest
  const take = (shape: RegExp) => {
    const slash = left.indexOf('/')
    const found = slash < 0 ? null : shape.exec(decoded(left.slice(0, slash)) ?? '')
    if (found) left = left.slice(slash + 1)
    return found
  }
  const fitIn = take(/^fit-in$/) !== null
  const size = take(/^(\d{0,5}|orig)x(\d{0,5}|orig)$/)
  const filters = take(/^filters:(.*)$/)
  const width = pixels(size?.[1])
  const height = pixels(size?.[2])
  const source = decoded(left)
  if (!source || width > maxSide || height > maxSide) return undefined
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(source) || !source.isWellFormed()) return undefined
  const wanted: Wanted = { fitIn, width, height, source }
  return readFilters(filters?.[1] ?? '', wanted) ? wanted : undefined
}

const pixels = (text = '') => (text === 'orig' ? 0 : Number(text))

function decoded(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Adds what `name(argument):name(argument)` says. False: it says something we do not do. */
function readFilters(text: string, wanted: Wanted): boolean {
  if (text === '') return true
  if (text.length > 300) return false
  // Its argument has a colon of its own: thumbor's box around the point, in shares of the sides.
  const [focal = '', left = 0, top = 0, right = 0, bottom = 0] =
    /focal\((\d(?:\.\d+)?)x(\d(?:\.\d+)?):(\d(?:\.\d+)?)x(\d(?:\.\d+)?)\)/
      .exec(text)
      ?.map((part, at) => (at === 0 ? part : Number(part))) ?? []
  if (focal !== '') {
    const [x, y] = [(Number(left) + Number(right)) / 2, (Number(top) + Number(bottom)) / 2]
    if (x > 1 || y > 1) return false
    wanted.focal = { x: Math.round(x * 100), y: Math.round(y * 100) }
  }
  for (const part of text.replace(String(focal), '').split(':').filter(Boolean)) {
    const [, name, argument = ''] = /^(\w+)\(([^()]*)\)$/.exec(part) ?? []
    if (name === 'grayscale') wanted.grayscale = true
    else if (name === 'no_upscale') wanted.noUpscale = true
    else if (name === 'background_color' || name === 'fill') {
      const color = colorOf(argument)
      if (!color) return false
      wanted[name === 'fill' ? 'fill' : 'background'] = color
    } else if (name === 'format') {
      const format = formats.find((known) => known === argument.replace(/^jpg$/, 'jpeg'))
      if (!format) return false
      wanted.format = format
    } else if (name === 'quality') {
      if (!/^\d{1,3}$/.test(argument) || Number(argument) > 100) return false
      wanted.quality = Math.max(1, Number(argument))
    }
    // What a picture says of its camera and place is never passed on.
    else if (name !== 'strip_exif') return false
  }
  return true
}

/** The sixteen names of HTML; other colours by number. */
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

/** What the first bytes say; SVG and everything else that is no picture of dots is nothing. */
export function formatOf(bytes: Buffer): Format | undefined {
  const head = bytes.toString('latin1', 0, 12)
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(head)) return 'gif'
  if (/^RIFF.{4}WEBP$/s.test(head)) return 'webp'
  return /^.{4}ftypavi[fs]$/s.test(head) ? 'avif' : undefined
}

/** Which formats a browser says it takes. */
export const accepts = (accept: string | undefined, format: 'webp' | 'avif') =>
  new RegExp(`image/${format}(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`).test(accept ?? '')

type Size = { width: number; height: number }

/** How large to make the whole picture, and what of it to cut out, so that a point of it is as near the middle as can be. */
export function focalPart(focal: { x: number; y: number }, from: Size, to: Size) {
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

/** The size to make of a picture of this size; `crop`: it is cut to it from the middle. */
export function targetSize(
  wanted: Pick<Wanted, 'fitIn' | 'width' | 'height' | 'noUpscale'>,
  from: { width: number; height: number },
): { width: number; height: number; crop: boolean } {
  const { fitIn, width, height, noUpscale } = wanted
  if (!fitIn && width > 0 && height > 0) {
    const larger = width > from.width || height > from.height
    if (!larger || !noUpscale) return { width, height, crop: true }
    return {
      width: Math.min(width, from.width),
      height: Math.min(height, from.height),
      crop: true,
    }
  }
  // One side, both or none are given: in proportion, and within what we make at all.
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
