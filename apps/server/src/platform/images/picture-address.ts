import { figures } from '@atrium/rules/figures'

const { thumbnail, serviceIcon, shareIcon } = figures
const size = ({ width, height }: { width: number; height: number }) => `${width}x${height}`

/** What is made of a picture, by where it is shown, in the grammar of the image service. */
const operations = {
  thumbnail: size(thumbnail),
  icon: `fit-in/${size(serviceIcon)}`,
  share: `fit-in/${size(shareIcon)}/filters:background_color(white)`,
  /** up to 64 px, two dots to a pixel */
  logo: 'fit-in/128x128',
  /** over the whole width of a phone's screen, three dots to a pixel */
  wide: 'fit-in/1080x0',
}
export type PictureUse = keyof typeof operations

/** What of a picture stays in sight where it is cut, hundredths from the left and from above. */
export type Focus = { x: number; y: number }
const focal = ({ x, y }: Focus) => {
  const point = `${x / 100}x${y / 100}`
  return `filters:focal(${point}:${point})/`
}

/** The picture at an address of ours or elsewhere, made for this use. A path of ours stays readable in it. */
export const madePicture = (address: string, use: PictureUse, focus?: Focus) =>
  `/thumbor/unsafe/${operations[use]}/${focus && use === 'thumbnail' ? focal(focus) : ''}${/^\/[^?]*$/.test(address) ? address.slice(1) : encodeURIComponent(address)}`

/**
 * Where a browser gets a picture from that an operator named: pages show pictures of our own origin only, so one from
 * elsewhere comes through the image service, which asks the hosts that are listed and no others.
 */
export const ownPicture = (address: string, use: PictureUse) =>
  address.startsWith('https:') ? madePicture(address, use) : address
