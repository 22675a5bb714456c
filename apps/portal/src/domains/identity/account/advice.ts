import type { AccountSecurity } from '@atrium/contract/identity/account'

/** Advice for securing the account, most urgent first. */
export type Advice = 'password' | 'mobile' | 'email' | 'secondFactor' | 'questions'

export function adviceOn({
  password,
  mobile,
  email,
  factors,
  questions,
}: AccountSecurity): Advice[] {
  return [
    ...(password.set && password.mustChange ? (['password'] as const) : []),
    ...(mobile.masked ? [] : (['mobile'] as const)),
    ...(email.masked ? [] : (['email'] as const)),
    ...(factors.length > 0 ? [] : (['secondFactor'] as const)),
    ...(questions.offered && questions.list.length === 0 ? (['questions'] as const) : []),
  ]
}
