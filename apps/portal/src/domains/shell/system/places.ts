import type { Place } from '@atrium/contract/shell/map'
import { isInChina, toGcj02 } from '@atrium/rules/places/gcj02'
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

export const nearestFirst = <P extends Point>(places: readonly P[], here: Point): P[] =>
  [...places].sort((one, other) => metresBetween(one, here) - metresBetween(other, here))

/** What the address of a known place holds. */
export const placeSearch = ({ kind: _, hours: __, ...place }: Place) => place

type Way = { app: 'device' | 'apple' | 'amap' | 'tencent' | 'baidu' | 'google'; href: string }

/**
 * Ways to a place in the map apps there are: the device's own first, then those of the country the place is in. All of them on
 * foot, which an app lets one change. `geo:` is read by apps alone, the others are pages that open the app where it is there.
 */
export function waysTo(point: Point, name: string, os: RunEnvironment['os']): Way[] {
  const { latitude, longitude } = point
  const inChina = isInChina(point)
  // Amap, Tencent, Baidu and, within China, Apple draw by GCJ-02; RFC 5870 has geo: in WGS 84, which Google takes too.
  const shifted = toGcj02(point)
  const [north, east] = [shifted.latitude.toFixed(6), shifted.longitude.toFixed(6)]
  const ways: Way[] = []
  if (os === 'android' || os === 'harmony')
    ways.push({
      app: 'device',
      href: `geo:${latitude},${longitude}?q=${latitude},${longitude}(${encodeURIComponent(name)})`,
    })
  if (os === 'ios' || os === 'macos')
    ways.push({
      app: 'apple',
      href: withFields('https://maps.apple.com/', { daddr: `${north},${east}`, dirflg: 'w' }),
    })
  if (!inChina)
    return [
      ...ways,
      {
        app: 'google',
        href: withFields('https://www.google.com/maps/dir/', {
          ...{ api: '1', destination: `${latitude},${longitude}`, travelmode: 'walking' },
        }),
      },
    ]
  return [
    ...ways,
    {
      app: 'amap',
      // Its fields are parted by commas.
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
      // Its page of a way wants to be told where one starts; that of a place asks the device.
      href: withFields('https://api.map.baidu.com/marker', {
        ...{ location: `${north},${east}`, title: name, content: name, coord_type: 'gcj02' },
        ...{ output: 'html', src: 'atrium' },
      }),
    },
  ]
}

const withFields = (address: string, fields: Record<string, string>) =>
  `${address}?${new URLSearchParams(fields)}`
