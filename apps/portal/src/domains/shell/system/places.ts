import type { Place } from '@atrium/contract/shell/map'
import { isInChina, toGcj02 } from '@atrium/rules/places/gcj02'
import type { RunEnvironment } from '@atrium/rules/user-agent'
import type { IconName } from '#ui/media/icon.tsx'

export type Point = { latitude: number; longitude: number }

/** The icon of each kind of place. */
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

/** Distance in metres; on a campus a spherical earth is accurate enough. */
export function metresBetween(a: Point, b: Point) {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const north = radians(b.latitude - a.latitude)
  const east = radians(b.longitude - a.longitude)
  const half =
    Math.sin(north / 2) ** 2 +
    Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * Math.sin(east / 2) ** 2
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(half)))
}

/** 29.43120, 120.28460: five decimals are about a metre. */
export const coordinates = ({ latitude, longitude }: Point) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

export const nearestFirst = <P extends Point>(places: readonly P[], here: Point): P[] =>
  [...places].sort((one, other) => metresBetween(one, here) - metresBetween(other, here))

/** The search fields for the page of a known place. */
export const placeSearch = ({ kind: _, hours: __, ...place }: Place) => place

type DirectionLink = {
  app: 'device' | 'apple' | 'amap' | 'tencent' | 'baidu' | 'google'
  href: string
}

/**
 * Links to walking directions in map apps: the device's own first, then those used in the place's country. `geo:` works
 * in apps only; the others are web pages that open the app if installed.
 */
export function directionLinks(
  point: Point,
  name: string,
  os: RunEnvironment['os'],
): DirectionLink[] {
  const { latitude, longitude } = point
  const inChina = isInChina(point)
  // Amap, Tencent, Baidu and, within China, Apple use GCJ-02; RFC 5870 defines geo: in WGS 84, which Google also uses.
  const shifted = toGcj02(point)
  const [north, east] = [shifted.latitude.toFixed(6), shifted.longitude.toFixed(6)]
  const links: DirectionLink[] = []
  if (os === 'android' || os === 'harmony')
    links.push({
      app: 'device',
      href: `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`,
    })
  if (os === 'ios' || os === 'macos')
    links.push({
      app: 'apple',
      href: withFields('https://maps.apple.com/', { daddr: `${north},${east}`, dirflg: 'w' }),
    })
  if (!inChina)
    return [
      ...links,
      {
        app: 'google',
        href: withFields('https://www.google.com/maps/dir/', {
          ...{ api: '1', destination: `${latitude},${longitude}`, travelmode: 'walking' },
        }),
      },
    ]
  return [
    ...links,
    {
      app: 'amap',
      // Commas separate its fields.
      href: withFields('https://uri.amap.com/navigation', {
        to: `${east},${north},${name.replaceAll(',', ' ')}`,
        ...{ mode: 'walk', coordinate: 'gaode', src: 'atrium', callnative: '1' },
      }),
    },
    {
      app: 'tencent',
      href: withFields('https://apis.map.qq.com/uri/v1/routeplan', {
        ...{ type: 'walk', to: name, tocoord: `${north},${east}`, referer: 'atrium' },
      }),
    },
    {
      app: 'baidu',
      // Baidu's directions page requires a starting point; its place page uses the device's position.
      href: withFields('https://api.map.baidu.com/marker', {
        ...{ location: `${north},${east}`, title: name, content: name, coord_type: 'gcj02' },
        ...{ output: 'html', src: 'atrium' },
      }),
    },
  ]
}

const withFields = (address: string, fields: Record<string, string>) =>
  `${address}?${new URLSearchParams(fields)}`
