import type { PersonalConnector, SourceKind } from '@atrium/contract/member/personal-source'
import type { PersonalTrial } from '@atrium/contract/member/personal-sources.operator'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { querySource } from './query-source.ts'
import { getMemberIdentifiers } from './read-personal.ts'

/** Reads one member's data without storing it. @throws personal.member_unknown */
export async function trySource(
  db: Db,
  kind: SourceKind,
  connector: PersonalConnector,
  {
    username,
    secret,
    allow,
  }: { username: string; secret: string | undefined; allow: string | undefined },
): Promise<PersonalTrial> {
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', username.toLowerCase())
    .executeTakeFirst()
  if (!account) return fail('personal.member_unknown')
  const who = await getMemberIdentifiers(db, account.id)
  const { timeZone } = await readSettings(db)
  const start = performance.now()
  const elapsedMs = () => Math.round(performance.now() - start)
  try {
    const { value, problems } = await querySource(kind, connector, { secret, allow, who }, timeZone)
    return { issue: '', known: value !== null, milliseconds: elapsedMs(), value, problems }
  } catch (error) {
    const issue = (error as Error).message.slice(0, 500)
    return { issue, known: false, milliseconds: elapsedMs(), value: null, problems: [] }
  }
}
