import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'

/** Maximum accounts per announcement: a PostgreSQL notification holds 8,000 bytes. */
const accountsPerNotice = 350

/** Announces changed to-dos to open devices of these accounts. */
export async function announceInboxes(db: Db, accounts: readonly string[]) {
  for (let start = 0; start < accounts.length; start += accountsPerNotice)
    await announce(db, {
      kind: 'inbox',
      key: accounts.slice(start, start + accountsPerNotice).join(','),
    })
}

/** SQL condition on a `delegation` of a `task`. */
const isInEffect = sql`delegation.revoked_at is null and delegation.starts_at <= now() and delegation.ends_at > now()
  and (delegation.sources = '{}' or task.source = any(delegation.sources))`

/**
 * SQL condition on a step: it is not an open copy of a delegate whose delegation is over. The job that deletes those
 * copies may be late, so every query that shows or grants open steps needs it.
 * @param step the table's name or alias in the query
 */
export const isEffective = (step: string) => sql<boolean>`(
  ${sql.ref(`${step}.for_step_id`)} is null or ${sql.ref(`${step}.done_at`)} is not null or exists (
    select from task_step original join task on task.id = original.task_id
    join task_delegation delegation on delegation.account_id = original.account_id and ${isInEffect}
    join task_delegate delegate on delegate.delegation_id = delegation.id
      and delegate.account_id = ${sql.ref(`${step}.account_id`)}
    where original.id = ${sql.ref(`${step}.for_step_id`)}))`

/**
 * Synchronises the steps of delegates: each delegate has a copy of every open step delegated to them, deleted together
 * with the original. Copies are never delegated further, so there are no chains. Must be called in the same transaction
 * whenever open steps are added, removed or changed.
 * @param scope tasks, or accounts whose delegations began or ended
 */
export async function syncDelegated(
  db: Db,
  scope: { tasks: readonly string[] } | { accounts: readonly string[] },
) {
  const ids = 'tasks' in scope ? scope.tasks : scope.accounts
  if (ids.length === 0) return
  // Delegations are rare, so most calls end here.
  const { rows: any } = await sql`
    select from task_delegation where state <> 'over' limit 1`.execute(db)
  if (any.length === 0) return
  const inScope = (step: string) =>
    'tasks' in scope
      ? sql`${sql.ref(`${step}.task_id`)} = any(${ids as string[]}::bigint[])`
      : sql`${sql.ref(`${step}.account_id`)} = any(${ids as string[]}::bigint[])`
  const { rows } = await sql<{ account_id: string }>`
    with wanted as (
      select distinct on (step.id, delegate.account_id) step.id as for_step_id, delegate.account_id, person.name as person_name,
        step.task_id, step.name, step.name_en, step.actions, step.due_at, step.created_at
      from task_step step
      join task on task.id = step.task_id
      join task_delegation delegation on delegation.account_id = step.account_id and ${isInEffect}
      join task_delegate delegate on delegate.delegation_id = delegation.id
      join account on account.id = delegate.account_id and account.status <> 'disabled'
      join person on person.id = account.person_id
      left join account applicant on applicant.id = task.applicant_account_id
      where ${inScope('step')} and step.kind = 'handle' and step.done_at is null and step.for_step_id is null
        and task.delegable and task.status in ('progress', 'hang') and applicant.person_id is distinct from account.person_id
        and task.source <> all(array(select jsonb_array_elements_text(policy -> 'excludedSources') from task_delegation_policy))
        -- who has to decide it anyway does so in their own name
        and not exists (select from task_step own where own.task_id = task.id and own.account_id = delegate.account_id
          and own.kind = 'handle' and own.done_at is null and own.for_step_id is null)
      order by step.id, delegate.account_id
    ), gone as (
      delete from task_step held using task_step step
      where step.id = held.for_step_id and ${inScope('step')} and held.done_at is null
        and not exists (select from wanted where wanted.for_step_id = held.for_step_id and wanted.account_id = held.account_id)
      returning held.account_id
    ), written as (
      insert into task_step as held (task_id, account_id, person_name, kind, name, name_en, actions, due_at, created_at, for_step_id)
      select task_id, account_id, person_name, 'handle', name, name_en, actions, due_at, created_at, for_step_id from wanted
      on conflict (for_step_id, account_id) where for_step_id is not null do update set
        actions = excluded.actions, name = excluded.name, name_en = excluded.name_en, due_at = excluded.due_at,
        done_at = null, action = '', action_en = '', tone = null, comment = ''
      returning held.account_id
    )
    select distinct account_id from (select account_id from gone union all select account_id from written) one
    where account_id is not null`.execute(db)
  await announceInboxes(
    db,
    rows.map(({ account_id }) => account_id),
  )
}

/** Deletes the delegates' copies of a completed step. */
export async function closeDelegated(db: Db, stepId: string) {
  const deleted = await db
    .deleteFrom('task_step')
    .where('for_step_id', '=', stepId)
    .where('done_at', 'is', null)
    .returning('account_id')
    .execute()
  await announceInboxes(
    db,
    deleted.flatMap(({ account_id }) => account_id ?? []),
  )
}
