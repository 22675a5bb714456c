import type { Static } from '@atrium/contract/define'
import type { AudienceRule } from '@atrium/contract/shell/launch.operator'
import type { Rule } from '#platform/audience.ts'
import { openAudienceCheck } from '#platform/audience-text.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'

/** Validates rules: at least one includes, and every target is in the directory. @throws request.invalid */
export async function checkedAudience(
  db: Db,
  audience: readonly Static<typeof AudienceRule>[],
  field = 'audience',
): Promise<Rule[]> {
  const rules = audience.map(
    ({ effect, kind, target }): Rule =>
      kind === 'everybody' || kind === 'guests' ? { effect, kind } : { effect, kind, target },
  )
  if (!rules.some(({ effect }) => effect === 'include'))
    fail('request.invalid', { fields: { [field]: 'nobody' } })
  const unknown = await openAudienceCheck(db)
  const fields = Object.fromEntries(
    rules.flatMap((rule, index) =>
      unknown([rule]) ? [[`${field}.${index}.target`, 'unknown' as IssueKind]] : [],
    ),
  )
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  return rules
}
