import { passwordIssue as judge, type PasswordOwner } from '@atrium/rules/password'
import type { IssueKind } from '#platform/http/errors.ts'

const kinds = {
  short: 'passwordShort',
  long: 'passwordLong',
  common: 'passwordCommon',
  personal: 'passwordPersonal',
  weak: 'passwordWeak',
} as const satisfies Record<string, IssueKind>

/** The issue with a new password, as a field issue kind; undefined if it is acceptable. */
export function passwordIssue(password: string, owner: PasswordOwner): IssueKind | undefined {
  const issue = judge(password, owner)
  return issue && kinds[issue]
}
