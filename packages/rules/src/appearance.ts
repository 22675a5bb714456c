/**
 * A member's display settings. The portal stores them in the browser and passes them in a cookie to the central login
 * pages, which have no script to read the browser's storage.
 */
export type Look = {
  /** empty: as set on the device */
  language: 'zh' | 'en' | ''
  /** percent of the device's own size */
  textSize: number
  scheme: 'system' | 'light' | 'dark'
  contrast: 'normal' | 'more'
}

const cookieName = 'LOOK-atrium'
const cookiePattern = /^(zh|en|)\.(100|115|130|150|175|200)\.(system|light|dark)\.(normal|more)$/
const defaultLook: Look = { language: '', textSize: 100, scheme: 'system', contrast: 'normal' }

/** A cookie string for `document.cookie`: valid for a year, sent to the central login only. */
export const lookCookie = ({ language, textSize, scheme, contrast }: Look) =>
  `${cookieName}=${[language, textSize, scheme, contrast].join('.')}; path=/cas; samesite=lax; max-age=31536000`

/** @param cookies the request's Cookie header; values not in the portal's format are ignored */
export function readLook(cookies = ''): Look {
  const value = cookies
    .split('; ')
    .find((text) => text.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
  const [, language, textSize, scheme, contrast] = cookiePattern.exec(value ?? '') ?? []
  return scheme ? ({ language, textSize: Number(textSize), scheme, contrast } as Look) : defaultLook
}
