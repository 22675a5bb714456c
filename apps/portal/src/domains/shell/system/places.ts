import type { Place } from '@atrium/contract/shell/map'
import type { RunEnvironment } from '@atrium/rules/user-agent'
import type { IconName } from '#ui/media/icon.tsx'

export type Point = { latitude: number; longitude: number }

/** The drawing of each kind of place. */
export const placeIcons: Record<Place['kind'], IconName> = {
  gate: 'place',
  teaching: 'graduation',
  library: 'library',
  canteen: 'food',
  dormitory: 'bed',
  sports: 'sport',
  culture: 'ticket',
  health: 'health',
  office: 'building',
  transport: 'bus',
  other: 'place',
}

/** Metres between two points on the ground; on a campus the earth is round enough as a ball. */
export function metresBetween(a: Point, b: Point) {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const north = radians(b.latitude - a.latitude)
  const east = radians(b.longitude - a.longitude)
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** 29.43120, 120.28460: five decimals are a metre. */
export const coordinates = ({ latitude, longitude }: Point) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

/** What a map app of the device opens a place with. `geo:` is read by apps alone, the others lead to a page too. */
export function mapLinks({ latitude, longitude }: Point, name: string, os: RunEnvironment['os']) {
  const amap = new URLSearchParams({
    position: `${longitude},${latitude}`,
    name,
    // Amap counts by China's own datum and converts what it is told to be of the other.
    coordinate: 'wgs84',
  })
  const apple = new URLSearchParams({ ll: `${latitude},${longitude}`, q: name })
  return {
    amap: `https://uri.amap.com/marker?${amap}`,
    apple: os === 'ios' || os === 'macos' ? `https://maps.apple.com/?${apple}` : undefined,
    app:
      os === 'android' || os === 'harmony'
        ? `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`
        : undefined,
  }
}
