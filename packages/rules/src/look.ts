/**
 * How a member wants pages to look. The portal keeps what they have chosen in the browser, and tells it by a cookie to the
 * pages of the central login, which have no script that could look it up.
 */
export type Look = {
  /** empty: as the device says */
  language: 'zh' | 'en' | ''
  /** in percent of the device's own size */
  textSize: number
  scheme: 'system' | 'light' | 'dark'
  contrast: 'normal' | 'more'
}

const cookie = 'LOOK-atrium'
const shape = /^(zh|en|)\.(100|115|130|150|175|200)\.(system|light|dark)\.(normal|more)$/
const none: Look = { language: '', textSize: 100, scheme: 'system', contrast: 'normal' }

/** The cookie as `document.cookie` takes it: for a year, and for the central login alone. */
export const lookCookie = ({ language, textSize, scheme, contrast }: Look) =>
  `${cookie}=${[language, textSize, scheme, contrast].join('.')}; path=/cas; samesite=lax; max-age=31536000`

/** @param cookies a request's; what is not as the portal writes it counts for nothing */
export function readLook(cookies = ''): Look {
  const value = cookies
    .split('; ')
    .find((text) => text.startsWith(`${cookie}=`))
    ?.slice(cookie.length + 1)
  const [, language, textSize, scheme, contrast] = shape.exec(value ?? '') ?? []
  return scheme ? ({ language, textSize: Number(textSize), scheme, contrast } as Look) : none
}
