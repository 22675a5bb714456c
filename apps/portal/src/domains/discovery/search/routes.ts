import { searchKinds } from '@atrium/contract/discovery/search'
import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { flag, oneOf, optional, text } from '#shell/navigation/search.ts'

const keyWords = optional(text)

export const searchScreens = {
  '/pages/search/wholeSearch': {
    area: 'search',
    title: m.search_title,
    access: 'guest',
    search: { keyWords, exactly: flag },
    staysMounted: true,
    page: () => import('#domains/discovery/search/whole-search-page.tsx'),
  },
  '/pages/search/allSearch': {
    area: 'search',
    title: m.search_all_title,
    access: 'guest',
    search: { keyWords, type: oneOf(...searchKinds) },
    staysMounted: true,
    page: () => import('#domains/discovery/search/all-search-page.tsx'),
  },
  '/pages/search/singleSearch': {
    area: 'search',
    title: m.search_title,
    access: 'guest',
    search: { keyWords, type: oneOf(...searchKinds) },
    staysMounted: true,
    page: () => import('#domains/discovery/search/single-search-page.tsx'),
  },
  '/pages/search/entry': {
    area: 'search',
    title: m.search_entry_title,
    access: 'guest',
    page: () => import('#domains/discovery/search/entry-page.tsx'),
  },
  '/pages/search/service': {
    area: 'search',
    title: m.search_service_title,
    access: 'guest',
    search: { keyWords },
    staysMounted: true,
    page: () => import('#domains/discovery/search/single-search-page.tsx'),
  },
  '/pages/search/schedule': {
    area: 'search',
    title: m.search_schedule_title,
    access: 'member',
    search: { keyWords },
    staysMounted: true,
    page: () => import('#domains/discovery/search/single-search-page.tsx'),
  },
  '/pages/search/task': {
    area: 'search',
    title: m.search_task_title,
    access: 'member',
    search: { keyWords, type: oneOf('task', 'todo') },
    staysMounted: true,
    page: () => import('#domains/discovery/search/task-page.tsx'),
  },
} satisfies Record<string, Screen>
