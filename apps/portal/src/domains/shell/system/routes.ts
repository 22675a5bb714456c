import { placeKinds } from '@atrium/contract/shell/map'
import { degrees } from '#domains/shell/system/degrees.ts'
import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { flag, oneOf, optional, text } from '#shell/navigation/search.ts'

export const systemScreens = {
  '/preview-image': {
    area: 'system',
    title: m.system_pictures,
    access: 'guest',
    bare: true,
    search: { urls: text, current: optional(text) },
    page: () => import('#domains/shell/system/preview-image-page.tsx'),
  },
  '/choose-location': {
    area: 'system',
    title: m.system_choose_location,
    access: 'guest',
    page: () => import('#domains/shell/system/choose-location-page.tsx'),
  },
  '/pages/map/places': {
    area: 'system',
    title: m.system_places_near,
    access: 'guest',
    search: { keyWords: optional(text), kind: oneOf(...placeKinds), open: flag },
    staysMounted: true,
    page: () => import('#domains/shell/system/places-page.tsx'),
  },
  '/open-location': {
    area: 'system',
    title: m.system_location,
    access: 'guest',
    search: {
      latitude: degrees(90),
      longitude: degrees(180),
      name: optional(text),
      address: optional(text),
      // only for places known to the portal
      id: optional(text),
      nameEn: optional(text),
      addressEn: optional(text),
    },
    page: () => import('#domains/shell/system/open-location-page.tsx'),
  },
} satisfies Record<string, Screen>
