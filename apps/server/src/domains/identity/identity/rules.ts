import { passwordFault as judge, type PasswordOwner } from '@atrium/rules/password'
import type { FaultKind } from '#platform/http/errors.ts'

const kinds = {
  short: 'passwordShort',
  long: 'passwordLong',
  common: 'passwordCommon',
  personal: 'passwordPersonal',
  weak: 'passwordWeak',
} as const satisfies Record<string, FaultKind>

/** What is wrong with a new password, as the kind of a field's fault; nothing when it may be used. */
export function passwordFault(password: string, owner: PasswordOwner): FaultKind | undefined {
  const fault = judge(password, owner)
  return fault && kinds[fault]
}
