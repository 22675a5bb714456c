import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const caldavScreens = {
  '/pages/shedul/phoneCalendar': {
    area: 'caldav',
    title: m.caldav_title,
    access: 'member',
    page: () => import('#domains/work/caldav/devices-page.tsx'),
  },
} satisfies Record<string, Screen>
