import { figures } from '@atrium/rules/figures'

const { thumbnail, serviceIcon, shareIcon } = figures
const size = ({ width, height }: { width: number; height: number }) => `${width}x${height}`

/** Image operations by use, in thumbor's URL syntax. */
const operations = {
  thumbnail: size(thumbnail),
  icon: `fit-in/${size(serviceIcon)}`,
  share: `fit-in/${size(shareIcon)}/filters:background_color(white)`,
  /** up to 64 px at 2x */
  logo: 'fit-in/128x128',
  /** full width of a phone's screen at 3x */
  wide: 'fit-in/1080x0',
}
export type PictureUse = keyof typeof operations

/** The point that stays visible when a picture is cropped, in percent from the left and from the top. */
export type Focus = { x: number; y: number }
const focal = ({ x, y }: Focus) => {
  const point = `${x / 100}x${y / 100}`
  return `filters:focal(${point}:${point})/`
}

/** The address of a picture, local or remote, processed for this use. A local path stays readable in it. */
export const pictureUrl = (address: string, use: PictureUse, focus?: Focus) =>
  `/thumbor/unsafe/${operations[use]}/${focus && use === 'thumbnail' ? focal(focus) : ''}${/^\/[^?]*$/.test(address) ? address.slice(1) : encodeURIComponent(address)}`

/**
 * The address from which a browser loads a picture that an operator entered. Pages may only load pictures from our own
 * origin, so remote ones go through the image service, which fetches from the listed hosts only.
 */
export const ownPicture = (address: string, use: PictureUse) =>
  address.startsWith('https:') ? pictureUrl(address, use) : address
