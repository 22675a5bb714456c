import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const scanLoginScreens = {
  '/pages/login/scanConfirm': {
    area: 'scan-login',
    title: m.scan_login_confirm_title,
    access: 'member',
    search: { code: text },
    page: () => import('#domains/identity/scan-login/confirm-page.tsx'),
  },
} satisfies Record<string, Screen>
