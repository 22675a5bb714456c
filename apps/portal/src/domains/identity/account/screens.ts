import type { AccountSecurity, Need, SecurityChange } from '@atrium/contract/identity/account'
import { back, depth, go, redirect } from '#shell/navigation/navigation.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { safeTarget } from '#shell/sign-in/sign-in.ts'

export const overview = '/pagesA/safeSet/safeSet'

/** Where a need is met. A contact is asked for by the one there is, the mobile number before the mail address. */
function screenOf(need: Need, change: SecurityChange | undefined, { mobile }: AccountSecurity) {
  if (need === 'confirm') return '/pages/modifyPwd/verfityPwd'
  if (need === 'questions')
    return change === 'questions'
      ? '/pages/modifyPwd/oldQuestion'
      : '/pages/modifyPwd/verfityQuestion'
  if (change === 'questions')
    return mobile.masked ? '/pages/modifyPwd/qPhone' : '/pages/modifyPwd/qEmail'
  return mobile.masked ? '/pages/modifyPwd/oldPhone' : '/pages/modifyPwd/oldEmail'
}

/** What is due first for a change, or without one for anything at all. */
export function dueOf(security: AccountSecurity, change: SecurityChange | undefined) {
  // Nothing is changed here then.
  if (change === 'password' && security.password.elsewhere) return undefined
  if (change) return security.needs[change][0]
  return security.confirmedUntil ? undefined : 'confirm'
}

/** To where that is met, in the place of this page, and from there back to it: nobody comes past it by going back. */
export const meet = (
  need: Need,
  change: SecurityChange | undefined,
  security: AccountSecurity,
  next: string,
) => go('redirect', screenOf(need, change, security) + joinSearch({ next }))

/** What these pages are told: what comes in their place, or from where they were opened. */
export type Onwards = { next?: string | undefined; returnTarget?: string | undefined }

/** On from a page that has shown something. */
export function goOn({ next, returnTarget }: Onwards, otherwise: string) {
  if (next) return go('redirect', safeTarget(next))
  if (returnTarget && depth() > 0) return back()
  go('redirect', safeTarget(returnTarget ?? otherwise))
}

/** Back from a change that was made; to the overview where nothing was open before. */
export const leave = () => (depth() > 0 ? back() : redirect(overview))
