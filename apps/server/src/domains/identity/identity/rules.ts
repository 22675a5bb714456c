import { passwordIssue as judge, type PasswordOwner } from '@atrium/rules/password'
import type { IssueKind } from '#platform/http/errors.ts'

const kinds = {
  short: 'passwordShort',
  long: 'passwordLong',
  common: 'passwordCommon',
  personal: 'passwordPersonal',
  weak: 'passwordWeak',
} as const satisfies Record<string, IssueKind>

/** What is wrong with a new password, as the kind of a field's issue; nothing when it may be used. */
export function passwordIssue(password: string, owner: PasswordOwner): IssueKind | undefined {
  const issue = judge(password, owner)
  return issue && kinds[issue]
}
