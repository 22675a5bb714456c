import type { AccountSecurity, Need, SecurityChange } from '@atrium/contract/identity/account'
import { back, depth, performNavigation, redirect } from '#shell/navigation/navigation.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { safeTarget } from '#shell/sign-in/sign-in.ts'

export const overviewPath = '/pagesA/safeSet/safeSet'

/** The screen for a required step. A bound contact is confirmed first by mobile number, then by mail address. */
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

/** The first step required for a change, or without a change for any confirmation. */
export function requiredStepOf(security: AccountSecurity, change: SecurityChange | undefined) {
  // The password is managed elsewhere, so nothing is changed here.
  if (change === 'password' && security.password.elsewhere) return undefined
  // The page says so itself.
  if (change === 'questions' && !security.questions.offered) return undefined
  if (change) return security.needs[change][0]
  return security.confirmedUntil ? undefined : 'confirm'
}

/** Replaces this page with the required step, which then returns to it. Going back cannot bypass the step. */
export const goToRequiredStep = (
  need: Need,
  change: SecurityChange | undefined,
  security: AccountSecurity,
  next: string,
) => performNavigation('redirect', screenOf(need, change, security) + joinSearch({ next }))

/** Search fields of these pages: the page that follows, or the one they were opened from. */
export type NextPage = { next?: string | undefined; returnTarget?: string | undefined }

/** Continues after a completed step. */
export function continueTo({ next, returnTarget }: NextPage, otherwise: string) {
  if (next) return performNavigation('redirect', safeTarget(next))
  if (returnTarget && depth() > 0) return back()
  performNavigation('redirect', safeTarget(returnTarget ?? otherwise))
}

/** Goes back after a change; to the overview if no page was open before. */
export const leaveAccountPage = () => (depth() > 0 ? back() : redirect(overviewPath))
