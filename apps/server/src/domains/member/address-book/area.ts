import { addressBook, contactGroups } from '@atrium/contract/member/address-book'
import { bookPosts } from '@atrium/contract/member/address-book.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { bookPostHandlers } from './console-handlers.ts'
import { contactGroupHandlers } from './contact-group-handlers.ts'
import { addressBookHandlers } from './handlers.ts'
import { addressBookPersonalData } from './personal-data.ts'

export const addressBookArea: Area = {
  name: 'address-book',
  serve(app, host) {
    serve(app, host, addressBook, addressBookHandlers)
    serve(app, host, contactGroups, contactGroupHandlers)
    serve(app, host, bookPosts, bookPostHandlers)
  },
  personalData: addressBookPersonalData,
}
