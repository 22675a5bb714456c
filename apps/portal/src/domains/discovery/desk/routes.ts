import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const deskScreens = {
  '/pages/robot/desk': {
    area: 'desk',
    title: m.desk_page_title,
    access: 'member',
    page: () => import('#domains/discovery/desk/desk-page.tsx'),
  },
  '/pages/robot/deskDialog': {
    area: 'desk',
    title: m.desk_dialog_title,
    access: 'member',
    search: { dialogId: text },
    page: () => import('#domains/discovery/desk/desk-dialog-page.tsx'),
  },
} satisfies Record<string, Screen>
