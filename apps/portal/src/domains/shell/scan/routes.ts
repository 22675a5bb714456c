import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const scanScreens = {
  '/pages/scanCode/plainText': {
    area: 'scan',
    title: m.scan_result_title,
    access: 'guest',
    search: { text },
    page: () => import('#domains/shell/scan/plain-text-page.tsx'),
  },
} satisfies Record<string, Screen>
