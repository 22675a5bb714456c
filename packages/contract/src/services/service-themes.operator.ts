import { del, get, Id, Nullable, Page, pageQuery, post, put, type Static, T } from '../define.ts'
import {
  byPart,
  Name,
  orNull,
  params,
  placing,
  Text,
  Version,
  versioned,
  whole,
} from './service-catalogue.operator.ts'

const themed = {
  code: T.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._:\\-]{0,63}$' }),
  name: Name,
  nameEn: Text(100),
  desc: Text(300),
  descEn: Text(500),
  icon: placing.icon,
  audience: placing.audience,
  position: T.Integer({
    minimum: 0,
    maximum: 9999,
    default: 0,
    description: 'lower values come first',
  }),
  online: T.Boolean({ default: true }),
}
/** Reference to a service, including withdrawn ones. */
const named = { serviceId: Id, serviceNo: T.String(), serviceName: T.String() }
export const ThemeContent = T.Object({
  ...themed,
  serviceIds: T.Array(Id, {
    maxItems: 200,
    uniqueItems: true,
    default: [],
    description: 'replaces the list of services, in this order',
  }),
})
export type ThemeContent = Static<typeof ThemeContent>
export const ManagedTheme = T.Object(
  {
    id: Id,
    ...themed,
    services: T.Array(T.Object({ ...named, online: T.Boolean() })),
    version: T.Integer(),
  },
  { $id: 'ManagedServiceTheme' },
)
export type ManagedTheme = Static<typeof ManagedTheme>

/** Services grouped by theme, across types and departments: for operators of the institution. */
export const serviceThemes = {
  list: get('/console-api/v1/service-themes', {
    ...whole,
    summary: 'List all themes, including withdrawn ones, in order',
    reply: T.Array(ManagedTheme),
  }),
  create: post('/console-api/v1/service-themes', {
    ...whole,
    summary: 'Create a theme with its services',
    body: ThemeContent,
    reply: ManagedTheme,
    errors: ['service.theme_taken'],
  }),
  update: put('/console-api/v1/service-themes/{id}', {
    ...whole,
    summary: 'Update a theme and its services',
    params,
    body: T.Interface([ThemeContent], { version: Version }),
    reply: ManagedTheme,
    errors: ['service.theme_not_found', 'service.theme_taken', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/service-themes/{id}', {
    ...whole,
    summary: 'Delete a theme; its services stay',
    params,
    query: versioned,
    reply: T.Null(),
    errors: ['service.theme_not_found', 'service.changed_meanwhile'],
  }),
}

const placed = {
  organizationId: orNull(Id),
  audience: placing.audience,
  position: T.Integer({
    minimum: 0,
    maximum: 9999,
    default: 0,
    description: 'lower values come first',
  }),
}
export const PlacementContent = T.Object({ serviceId: Id, ...placed })
export type PlacementContent = Static<typeof PlacementContent>
export const ManagedPlacement = T.Object(
  {
    id: Id,
    ...named,
    ...placed,
    organizationName: Nullable(T.String()),
    version: T.Integer(),
  },
  { $id: 'ManagedServicePlacement' },
)
export type ManagedPlacement = Static<typeof ManagedPlacement>

/** Services a department adds to its members' favourites; members may remove them. */
export const servicePlacements = {
  list: get('/console-api/v1/service-placements', {
    ...byPart,
    summary: "List the services that the operator's departments have added to favourites, in order",
    query: T.Object({ serviceId: T.Optional(Id), ...pageQuery }),
    reply: Page(ManagedPlacement),
  }),
  create: post('/console-api/v1/service-placements', {
    ...byPart,
    summary: "Add a service to members' favourites; a department only to those of its own members",
    body: PlacementContent,
    reply: ManagedPlacement,
    errors: ['service.placed_already'],
  }),
  update: put('/console-api/v1/service-placements/{id}', {
    ...byPart,
    summary: 'Update the audience and position of a service added to favourites',
    params,
    body: T.Interface([PlacementContent], { version: Version }),
    reply: ManagedPlacement,
    errors: ['service.placement_not_found', 'service.placed_already', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/service-placements/{id}', {
    ...byPart,
    summary: 'Remove a service that the department added to favourites',
    params,
    query: versioned,
    reply: T.Null(),
    errors: ['service.placement_not_found', 'service.changed_meanwhile'],
  }),
}
