import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'

export const notificationsScreens = {
  '/pages/set/notify': {
    area: 'notifications',
    title: m.notifications_title,
    access: 'member',
    page: () => import('#domains/work/notifications/notify-page.tsx'),
  },
} satisfies Record<string, Screen>
