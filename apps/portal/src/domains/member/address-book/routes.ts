import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const addressBookScreens = {
  '/addressBook/addressList': {
    area: 'address-book',
    title: m.address_book_title,
    access: 'member',
    search: { orgId: optional(text), groupId: optional(text), keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/member/address-book/book-page.tsx'),
  },
  '/addressBook/group': {
    area: 'address-book',
    title: m.address_book_group_title,
    access: 'member',
    search: { id: text, keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/member/address-book/group-page.tsx'),
  },
  '/addressBook/person': {
    area: 'address-book',
    title: m.address_book_person_title,
    access: 'member',
    search: { accountName: text },
    page: () => import('#domains/member/address-book/person-page.tsx'),
  },
} satisfies Record<string, Screen>
