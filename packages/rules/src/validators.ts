/**
 * Field validators (specification, shell 5), shared by phone and server. Every rule tests the text after
 * `normalizeInput`, which is also the form to store.
 */
import { figures } from './figures.ts'

/** Trims the text and replaces full-width digits and letters, as input methods produce them. */
export const normalizeInput = (text: string) => text.trim().normalize('NFKC')

const matches = (pattern: RegExp) => (text: string) => pattern.test(normalizeInput(text))

/** The HTML standard's rule for e-mail fields, with a dot in the domain and the lengths of RFC 5321. */
export const isEmail = matches(
  /^(?=.{3,254}$)(?=[^@]{1,64}@)[\w.!#$%&'*+/=?^`{|}~-]+@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i,
)
export const isMobile = matches(/^1[2-9]\d{9}$/)
/** With an area code and a hyphen, as in the specification's forms. */
export const isLandline = matches(/^\d{3,4}-\d{7,8}(-\d{3,4})?$/)
/** A number that can be dialled in China: the area code and its hyphen are optional, the first digit is not 1. */
export const isDialledLandline = matches(/^(?:0\d{2,3}-?)?[2-9]\d{6,7}(?:-\d{1,6})?$/)

/** An absolute http or https address without user name and password. */
export function isUrl(text: string) {
  const address = normalizeInput(text)
  try {
    const { protocol, username, password } = new URL(address)
    return (
      /^https?:\/\/[^\s/]/i.test(address) && /^https?:$/.test(protocol) && !username && !password
    )
  } catch {
    return false
  }
}

/** A day in common notations (2026-11-23, 2026/1/3, 2026年11月23日), optionally followed by a time. */
export function isDate(text: string) {
  const [, year, month, day] =
    /^(\d{4})(?:[-/.年])(\d{1,2})(?:[-/.月])(\d{1,2})日?(?:[ T]*([01]?\d|2[0-3]):[0-5]\d(:[0-5]\d)?)?$/.exec(
      normalizeInput(text),
    ) ?? []
  return isRealDay(Number(year), Number(month), Number(day))
}
/** An existing day, as 2026-11-23. */
export function isIsoDate(text: string) {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(normalizeInput(text)) ?? []
  return isRealDay(Number(year), Number(month), Number(day))
}

/** Optional sign, fraction and exponent. */
export const isNumber = matches(/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i)
export const isDigits = matches(/^\d+$/)
/** Money: not negative, no leading zeros, at most two decimals. */
export const isAmount = matches(/^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/)

/** Han script only, including rare characters beyond U+FFFF. */
export const isChinese = matches(/^\p{Script=Han}+$/u)
export const isLetters = matches(/^[a-z]+$/i)
export const isLettersOrDigits = matches(/^[a-z\d]+$/i)

/** GB 11643: eighteen characters with a real date of birth; the last is a check digit. X in either case. */
export function isIdCard(text: string) {
  const number = normalizeInput(text).toUpperCase()
  if (!/^[1-9]\d{16}[\dX]$/.test(number)) return false
  const birth = [number.slice(6, 10), number.slice(10, 12), number.slice(12, 14)].map(Number)
  if (!isRealDay(birth[0], birth[1], birth[2])) return false
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((sum, weight, at) => sum + weight * Number(number[at]), 0)
  return '10X98765432'[sum % 11] === number[17]
}

/** GB 32100, the eighteen-character code of an organisation; the last is a check character. */
export function isOrganizationCode(text: string) {
  const alphabet = '0123456789ABCDEFGHJKLMNPQRTUWXY'
  const code = normalizeInput(text).toUpperCase()
  const values = [...code].map((character) => alphabet.indexOf(character))
  if (values.length !== 18 || values.includes(-1)) return false
  const weights = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]
  const sum = weights.reduce((sum, weight, at) => sum + weight * (values[at] ?? 0), 0)
  return (31 - (sum % 31)) % 31 === values[17]
}

const province = '[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼]'
const ordinaryPlate = new RegExp(
  `^${province}[A-HJ-NP-Z][A-HJ-NP-Z0-9]{4}[A-HJ-NP-Z0-9挂学警港澳]$`,
)
/** GA 36-2018: one more character; the letter for the drive type comes first or last. */
const newEnergyPlate = new RegExp(
  `^${province}[A-HJ-NP-Z](?:[A-HJK][A-HJ-NP-Z0-9]\\d{4}|\\d{5}[A-HJK])$`,
)
/** A mainland car plate, including new-energy cars; those of embassies and consulates are different. */
export function isCarPlate(text: string) {
  const plate = normalizeInput(text).toUpperCase()
  return ordinaryPlate.test(plate) || newEnergyPlate.test(plate)
}

/** A JSON object or array; a bare number or string is refused. */
export function isJson(text: string) {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** A numeric code of the required length. */
export const isCode = (text: string, length: number = figures.codeLength) =>
  isDigits(text) && normalizeInput(text).length === length

const images = ['avif', 'bmp', 'gif', 'heic', 'heif', 'jfif', 'jpeg', 'jpg', 'png', 'svg', 'webp']
const videos = '3gp asf avi flv m3u8 m4v mkv mov mp4 mpeg mpg ogv rm rmvb ts webm wmv'.split(' ')
/** By the extension in a name or address, ignoring the query. The server checks the content. */
export const isImageName = (name: string) => images.includes(extensionOf(name))
export const isVideoName = (name: string) => videos.includes(extensionOf(name))

const extensionOf = (name: string) =>
  /[^/\\]\.([a-z\d]+)$/i.exec(normalizeInput(name).replace(/[?#].*$/s, ''))?.[1]?.toLowerCase() ??
  ''

/** @param month from 1 */
function isRealDay(year = 0, month = 0, day = 0) {
  const date = new Date(Date.UTC(year, month - 1, day))
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
