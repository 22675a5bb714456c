import { flag, optional, parseFields, splitSearch, text } from '#shell/navigation/search.ts'

/** What the address the app was started with asks of the whole app. */
const startFields = {
  isHideTabbar: flag,
  noLogin: flag,
  isHideReturnBtn: flag,
  serviceInfo: optional(text),
}

export const startFlags = parseFields(startFields, splitSearch(location.search))

/** The page says that it needs no login: it shows as to a visitor, whoever is signed in on the device. */
export const needsNoLogin = startFlags.noLogin || startFlags.serviceInfo !== undefined
