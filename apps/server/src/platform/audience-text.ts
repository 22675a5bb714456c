import type { Db } from '#platform/database/db.ts'
import { shortenCell } from '#platform/ingest/cells.ts'
import { RowIssue } from '#platform/ingest/row-issue.ts'
import type { Rule } from './audience.ts'

const kinds = ['identity', 'organization', 'group'] as const

/**
 * Parses an audience as operators write it: `everybody` (each signed-in member), `guests` (visitors), `public` (both),
 * `identity:CODE`, `organization:CODE` (including all organisations below it), `group:CODE`. Semicolons separate
 * several rules; a leading exclamation mark excludes.
 * @throws RowIssue
 */
export function readAudience(text: string): Rule[] {
  const rules = text
    .split(/[;；]/)
    .map((part) => part.trim())
    .filter(Boolean)
    .flatMap((part): Rule[] => {
      const effect = /^[!！]/.test(part) ? 'exclude' : 'include'
      const rule = part.replace(/^[!！]\s*/, '')
      if (rule === 'public')
        return [
          { effect, kind: 'everybody' },
          { effect, kind: 'guests' },
        ]
      if (rule === 'everybody' || rule === 'guests') return [{ effect, kind: rule }]
      const [word, target = ''] = rule.split(/[:：](.*)/).map((piece) => piece.trim())
      const kind = kinds.find(
        (candidate) => candidate === (word === 'organisation' ? 'organization' : word),
      )
      if (!kind || !target) {
        throw new RowIssue(
          `is “${shortenCell(part)}”; it must be everybody, guests, public, identity:CODE, organization:CODE or group:CODE`,
        )
      }
      return [{ effect, kind, target }]
    })
  if (!rules.some((rule) => rule.effect === 'include'))
    throw new RowIssue(
      'includes nobody; give at least one of everybody, guests, public, identity:CODE, organization:CODE or group:CODE',
    )
  return rules
}

/** The inverse of `readAudience`. A rule for a single account has no notation; `readAudience` rejects its text. */
export const audienceText = (rules: readonly Rule[]): string =>
  rules
    .map(
      (rule) =>
        `${rule.effect === 'exclude' ? '!' : ''}${rule.kind}${'target' in rule ? `:${rule.target}` : ''}`,
    )
    .join(';')

/** Returns a function that reports the first rule target missing from the directory. */
export async function openAudienceCheck(
  db: Db,
): Promise<(rules: readonly Rule[]) => string | undefined> {
  const codes = async (table: 'identity_type' | 'organization' | 'member_group') =>
    new Set((await db.selectFrom(table).select('code').execute()).map((row) => row.code))
  const known = {
    identity: await codes('identity_type'),
    organization: await codes('organization'),
    group: await codes('member_group'),
  }
  return (rules) => {
    for (const rule of rules) {
      if (rule.kind !== 'identity' && rule.kind !== 'organization' && rule.kind !== 'group')
        continue
      if (!known[rule.kind].has(rule.target))
        return `names the ${rule.kind} ${rule.target}, which does not exist`
    }
    return undefined
  }
}
