import { get, Id, OneOf, type Static, T } from '../define.ts'

export const placeKinds = [
  'gate',
  'teaching',
  'library',
  'canteen',
  'dormitory',
  'sports',
  'culture',
  'health',
  'office',
  'transport',
  'other',
] as const

/** WGS 84 degrees, as phones measure them. */
export const Point = T.Object(
  {
    latitude: T.Number({ minimum: -90, maximum: 90 }),
    longitude: T.Number({ minimum: -180, maximum: 180 }),
  },
  { $id: 'Point' },
)
export type Point = Static<typeof Point>

/** Coordinates are WGS 84 degrees, as used by phones and most map tiles. */
export const Place = T.Object(
  {
    id: Id,
    kind: OneOf(placeKinds),
    name: T.String(),
    nameEn: T.String(),
    shortName: T.String({
      description: 'what rooms call it, such as 教一 for 教一 101; may be empty',
    }),
    address: T.String(),
    addressEn: T.String(),
    hours: T.String({
      description: 'opening hours, in the notation of OpenStreetMap; empty: unknown',
    }),
    latitude: T.Number(),
    longitude: T.Number(),
  },
  { $id: 'Place' },
)
export type Place = Static<typeof Place>

export const map = {
  places: get('/portal-api/v1/map/places', {
    summary: 'List the places of the institution, or find them by words',
    access: 'guest',
    cached: ['places'],
    query: T.Object({ keyWords: T.Optional(T.String({ maxLength: 60 })) }),
    reply: T.Array(Place),
  }),
  tile: get('/portal-api/v1/map/tiles/{z}/{x}/{y}', {
    summary: 'Get a map tile, from the server set in mapTileUrl',
    access: 'public',
    params: T.Object({
      z: T.Integer({ minimum: 0, maximum: 20 }),
      x: T.Integer({ minimum: 0, maximum: 1_048_575 }),
      y: T.Integer({ minimum: 0, maximum: 1_048_575 }),
    }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['map.tile_not_found', 'map.tiles_unavailable'],
  }),
}
