/**
 * A member's display settings. The portal stores them in the browser and passes them in a cookie to the central login
 * pages, which have no script to read the browser's storage.
 */
export type Appearance = {
  /** empty: as set on the device */
  language: 'zh' | 'en' | ''
  /** percent of the device's own size */
  textSize: number
  scheme: 'system' | 'light' | 'dark'
  contrast: 'normal' | 'more'
}

const cookieName = 'LOOK-atrium'
const cookiePattern = /^(zh|en|)\.(100|115|130|150|175|200)\.(system|light|dark)\.(normal|more)$/
const defaultAppearance: Appearance = {
  language: '',
  textSize: 100,
  scheme: 'system',
  contrast: 'normal',
}

/** A cookie string for `document.cookie`: valid for a year, sent to the central login only. */
export const appearanceCookie = ({ language, textSize, scheme, contrast }: Appearance) =>
  `${cookieName}=${[language, textSize, scheme, contrast].join('.')}; path=/cas; samesite=lax; max-age=31536000`

/** @param cookies the request's Cookie header; values not in the portal's format are ignored */
export function readAppearance(cookies = ''): Appearance {
  const value = cookies
    .split('; ')
    .find((text) => text.startsWith(`${cookieName}=`))
    ?.slice(cookieName.length + 1)
  const [, language, textSize, scheme, contrast] = cookiePattern.exec(value ?? '') ?? []
  return scheme
    ? ({ language, textSize: Number(textSize), scheme, contrast } as Appearance)
    : defaultAppearance
}
