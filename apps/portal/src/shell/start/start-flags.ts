import { flag, optional, parseFields, splitSearch, text } from '#shell/navigation/search.ts'

/** Flags in the start address that apply to the whole app. */
const startFields = {
  isHideTabbar: flag,
  noLogin: flag,
  isHideReturnBtn: flag,
  serviceInfo: optional(text),
}

export const startFlags = parseFields(startFields, splitSearch(location.search))

/** The page needs no login: it is shown as to a visitor, even if a member is signed in on the device. */
export const needsNoLogin = startFlags.noLogin || startFlags.serviceInfo !== undefined
