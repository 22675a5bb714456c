import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { text } from '#shell/navigation/search.ts'

export const filesScreens = {
  '/pagesA/news/video': {
    area: 'files',
    title: m.files_multimedia,
    access: 'guest',
    search: { url: text },
    page: () => import('#domains/content/files/preview-page.tsx'),
  },
  '/pages/myInfo/files': {
    area: 'files',
    title: m.files_mine_title,
    access: 'member',
    page: () => import('#domains/content/files/my-files-page.tsx'),
  },
} satisfies Record<string, Screen>
