import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { optional, text } from '#shell/navigation/search.ts'

export const recipientScreens = {
  '/msgCenter/pages/onlineSend/chooseRecivePerson': {
    area: 'recipients',
    title: m.sending_recipients_title,
    access: 'member',
    page: () => import('#domains/work/recipients/recipients-page.tsx'),
  },
  '/msgCenter/pages/onlineSend/peopleSearch': {
    area: 'recipients',
    title: m.sending_people_title,
    access: 'member',
    search: { keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/recipients/people-page.tsx'),
  },
  '/msgCenter/pages/onlineSend/orgSearch': {
    area: 'recipients',
    title: m.sending_organization_search_title,
    access: 'member',
    search: { keyWords: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/recipients/organization-search-page.tsx'),
  },
  '/msgCenter/pages/onlineSend/chooseOrganization': {
    area: 'recipients',
    title: m.sending_organizations_title,
    access: 'member',
    search: { ins_code: optional(text), name: optional(text) },
    page: () => import('#domains/work/recipients/organizations-page.tsx'),
  },
  '/msgCenter/pages/onlineSend/userGroup': {
    area: 'recipients',
    title: m.sending_groups_title,
    access: 'member',
    search: { part: optional(text), keyWords: optional(text), listId: optional(text) },
    staysMounted: true,
    page: () => import('#domains/work/recipients/groups-page.tsx'),
  },
  '/msgCenter/pages/onlineSend/addExternalContacts': {
    area: 'recipients',
    title: m.sending_contacts_title,
    access: 'member',
    page: () => import('#domains/work/recipients/contacts-page.tsx'),
  },
} satisfies Record<string, Screen>
