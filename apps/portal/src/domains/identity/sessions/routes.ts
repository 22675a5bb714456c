import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const sessionsScreens = {
  '/pages/set/devices': {
    area: 'sessions',
    title: m.sessions_devices_title,
    access: 'member',
    page: () => import('#domains/identity/sessions/devices-page.tsx'),
  },
  '/pages/set/signInRecords': {
    area: 'sessions',
    title: m.sessions_records_title,
    access: 'member',
    page: () => import('#domains/identity/sessions/records-page.tsx'),
  },
  '/pages/login/signedOut': {
    area: 'sessions',
    title: m.sessions_signed_out,
    access: 'public',
    bare: true,
    page: () => import('#domains/identity/sessions/signed-out-page.tsx'),
  },
} satisfies Record<string, Screen>
