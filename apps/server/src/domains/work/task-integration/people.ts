import type { SourceTask } from '@atrium/contract/work/task-integration'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'

type PersonReference = SourceTask['applicant']
type Account = { id: string; name: string }

export type People = {
  /** the account a task refers to; undefined if no open account matches */
  accountOf: (named: PersonReference) => string | undefined
  /** the name given by the task, or else by the directory */
  nameOf: (named: PersonReference) => string
  /** people a task refers to who have no open account here */
  unknownOf: (task: SourceTask) => string[]
}

/** Looks up everybody referred to by tasks. For a person with several accounts, the oldest open one is used. */
export async function findPeople(db: Db, tasks: readonly SourceTask[]): Promise<People> {
  const references = tasks.flatMap(({ applicant, steps }) => [applicant, ...steps])
  const usernames = new Set(references.flatMap(({ username }) => username?.toLowerCase() || []))
  const numbers = new Set(references.flatMap(({ number }) => number || []))
  const { rows } = await sql<Account & { username: string; number: string | null }>`
    select account.id, account.username, person.external_key as number, person.name
    from account join person on person.id = account.person_id
    where account.status <> 'disabled' and account.id in (
      select id from account where username = any(${[...usernames]}::text[])
      union all
      select other.id from person one join account other on other.person_id = one.id
      where one.external_key = any(${[...numbers]}::text[]))
    order by account.id desc`.execute(db)
  const byUsername = new Map(rows.map((row) => [row.username, row]))
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const find = ({ username, number }: PersonReference): Account | undefined =>
    username ? byUsername.get(username.toLowerCase()) : number ? byNumber.get(number) : undefined
  return {
    accountOf: (one) => find(one)?.id,
    nameOf: (one) => one.person || find(one)?.name || one.username || one.number || '',
    unknownOf: ({ applicant, steps }) => [
      ...new Set(
        [applicant, ...steps].flatMap((one) => (find(one) ? [] : one.username || one.number || [])),
      ),
    ],
  }
}
