import { flag, optional, parseFields, splitSearch, text } from './search.ts'

/** What the address the app was started with asks of the whole app. */
const startFields = {
  isHideTabbar: flag,
  noLogin: flag,
  isHideReturnBtn: flag,
  serviceInfo: optional(text),
  token: optional(text),
  idToken: optional(text),
  ticket: optional(text),
}

export const startFlags = parseFields(startFields, splitSearch(location.search))
