import type { Body } from '@atrium/contract/define'
import type {
  Delegation,
  DelegationPolicy,
  delegationRules,
  delegations,
} from '@atrium/contract/work/delegations'
import { sql } from 'kysely'
import { sendMessage } from '#domains/work/messages/send.ts'
import { syncDelegated } from '#domains/work/tasks/delegated-steps.ts'
import { englishName } from '#domains/work/tasks/queries.ts'
import { writeAudit } from '#platform/audit.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { delegationMessages, delegationPage } from './messages.ts'

/** Maximum delegations listed, newest first. */
const maxListed = 100
const maxHandled = 200
const maxSources = 50

const defaults: DelegationPolicy = {
  allowed: true,
  maxDays: 90,
  maxPeople: 3,
  sameOrganization: false,
  excludedSources: [],
}

async function getPolicy(db: Db): Promise<DelegationPolicy> {
  const row = await db.selectFrom('task_delegation_policy').select('policy').executeTakeFirst()
  return { ...defaults, ...(row?.policy as unknown as DelegationPolicy | undefined) }
}

export const delegationHandlers: Handlers<typeof delegations> = {
  async list({ db, viewer: { accountId } }) {
    const [given, received, sources, policy] = await Promise.all([
      listDelegations(db, sql`delegation.account_id = ${accountId}`),
      listDelegations(
        db,
        sql`exists (select from task_delegate mine where mine.delegation_id = delegation.id and mine.account_id = ${accountId})`,
      ),
      listSources(db, accountId),
      getPolicy(db),
    ])
    return { given, received, sources, policy }
  },

  create: ({ platform, viewer, body }) =>
    platform.db.transaction().execute((db) => create(db, platform, viewer, body)),

  end: ({ platform, viewer, params }) =>
    platform.db.transaction().execute(async (db) => {
      const { numUpdatedRows } = await db
        .updateTable('task_delegation')
        .set({ revoked_at: sql<string>`now()`, state: 'over' })
        .where('id', '=', params.id)
        .where('account_id', '=', viewer.accountId)
        .where('state', '<>', 'over')
        .executeTakeFirst()
      const delegation = await getOwnDelegation(db, viewer, params.id)
      if (numUpdatedRows === 0n) return delegation
      // Deletes the delegates' steps first, because `syncDelegated` returns early if this was the last delegation.
      await endSteps(db, [viewer.accountId])
      await writeAudit(db, auditEntry(viewer, 'delegation end', { id: params.id }))
      return delegation
    }),

  async handled({ db, viewer, params }) {
    await getOwnDelegation(db, viewer, params.id)
    const { rows } = await sql<{
      id: string
      title: string
      titleEn: string
      action: string
      actionEn: string
      by: string
      byEn: string
      at: string
    }>`
      select task.id, task.title, task.title_en as "titleEn", step.action, step.action_en as "actionEn", step.acted_by_name as by,
        ${englishName('step.acted_by_account_id', 'step.acted_by_name')} as "byEn", step.done_at as at
      from task_delegation delegation
      join task_delegate delegate on delegate.delegation_id = delegation.id
      join task_step step on step.acted_by_account_id = delegate.account_id and step.account_id = delegation.account_id
        and step.done_at >= delegation.starts_at and step.done_at < coalesce(delegation.revoked_at, delegation.ends_at)
      join task on task.id = step.task_id
      where delegation.id = ${params.id} order by step.done_at desc, step.id desc limit ${maxHandled}`.execute(
      db,
    )
    return rows
  },
}

export const delegationRuleHandlers: Handlers<typeof delegationRules> = {
  policy: ({ db }) => getPolicy(db),
  setPolicy: ({ platform, body }) =>
    platform.db.transaction().execute(async (db) => {
      const policy = JSON.stringify(body)
      await db
        .insertInto('task_delegation_policy')
        .values({ policy })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ policy }))
        .execute()
      const rows = await db
        .selectFrom('task_delegation')
        .select('account_id')
        .distinct()
        .where('state', '=', 'active')
        .execute()
      await syncDelegated(db, { accounts: rows.map(({ account_id }) => account_id) })
      return getPolicy(db)
    }),
}

async function create(
  db: Db,
  platform: Platform,
  viewer: Member,
  { startsOn, endsOn, people, sources, note }: Body<typeof delegations.create>,
): Promise<Delegation> {
  const { timeZone } = await currentSettings(platform)
  const policy = await getPolicy(db)
  if (!policy.allowed) fail('delegation.not_allowed')
  const today = Temporal.Now.plainDateISO(timeZone)
  const [first, last] = [Temporal.PlainDate.from(startsOn), Temporal.PlainDate.from(endsOn)]
  if (Temporal.PlainDate.compare(first, today) < 0)
    fail('request.invalid', { fields: { startsOn: 'range' } })
  const days = first.until(last).days + 1
  if (days < 1 || days > policy.maxDays) fail('request.invalid', { fields: { endsOn: 'range' } })
  if (people.length > policy.maxPeople) fail('request.invalid', { fields: { people: 'length' } })
  const accounts = await findPeople(db, viewer, people, policy)
  const startOfDay = (day: Temporal.PlainDate) =>
    new Date(day.toZonedDateTime(timeZone).epochMilliseconds).toISOString()
  const [startsAt, endsAt] = [startOfDay(first), startOfDay(last.add({ days: 1 }))]
  await lockAccounts(db, [viewer.accountId, ...accounts])
  await assertNoConflicts(db, viewer.accountId, accounts, sources, [startsAt, endsAt])
  const { id } = await db
    .insertInto('task_delegation')
    .values({
      account_id: viewer.accountId,
      starts_on: startsOn,
      ends_on: endsOn,
      starts_at: startsAt,
      ends_at: endsAt,
      sources,
      note: note.trim(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('task_delegate')
    .values(accounts.map((account_id) => ({ delegation_id: id, account_id })))
    .execute()
  await activateDelegations(db)
  await writeAudit(
    db,
    auditEntry(viewer, 'delegation begin', { id, startsOn, endsOn, people, sources }),
  )
  await sendMessage(db, {
    kind: delegationMessages.kinds.asked,
    to: { accounts },
    title: {
      zh: `${viewer.name} 委托你办理待办（${startsOn} 至 ${endsOn}）`,
      en: `${viewer.nameEn || viewer.name} asks you to handle their tasks (${startsOn} to ${endsOn})`,
    },
    ...(note.trim() && { summary: { zh: note.trim(), en: note.trim() } }),
    url: delegationPage,
  })
  return getOwnDelegation(db, viewer, id)
}

const auditEntry = (viewer: Member, action: string, details: object) => ({
  channel: 'api' as const,
  accountId: viewer.accountId,
  operator: viewer.username,
  operatorName: viewer.name,
  action,
  details,
})

/**
 * @throws request.invalid for the member themselves, and for people without an open account or not allowed by the
 * policy
 */
async function findPeople(
  db: Db,
  viewer: Member,
  usernames: readonly string[],
  { sameOrganization }: DelegationPolicy,
): Promise<string[]> {
  const names = usernames.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('account')
    .select(['id', 'username', 'person_id', 'organization_id'])
    .where('username', '=', sql<string>`any(${names}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const { organization_id: organizationId } = await db
    .selectFrom('account')
    .select('organization_id')
    .where('id', '=', viewer.accountId)
    .executeTakeFirstOrThrow()
  const byName = new Map(rows.map((row) => [row.username, row]))
  const fields: Record<string, 'unknown' | 'choice'> = {}
  for (const [index, name] of names.entries()) {
    const account = byName.get(name)
    const isOutside = sameOrganization && account?.organization_id !== organizationId
    if (!account) fields[`people.${index}`] = 'unknown'
    else if (account.person_id === viewer.personId || isOutside)
      fields[`people.${index}`] = 'choice'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  return names.flatMap((name) => byName.get(name)?.id ?? [])
}

/** Serialises members who delegate to each other concurrently. */
async function lockAccounts(db: Db, accounts: readonly string[]) {
  for (const id of accounts.toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`delegation ${id}`}, 0))`.execute(db)
}

/** @throws delegation.back, delegation.overlaps */
async function assertNoConflicts(
  db: Db,
  accountId: string,
  people: readonly string[],
  sources: readonly string[],
  [startsAt, endsAt]: readonly [string, string],
) {
  const isSimultaneous = sql`delegation.revoked_at is null and delegation.starts_at < ${endsAt}::timestamptz
    and delegation.ends_at > ${startsAt}::timestamptz`
  // A delegate would be away too.
  const { rows: reverse } = await sql`
    select from task_delegation delegation join task_delegate delegate on delegate.delegation_id = delegation.id
    where delegation.account_id = any(${people as string[]}::bigint[]) and delegate.account_id = ${accountId} and ${isSimultaneous} limit 1`.execute(
    db,
  )
  if (reverse.length > 0) fail('delegation.back')
  const { rows: overlapping } = await sql`
    select from task_delegation delegation where delegation.account_id = ${accountId} and ${isSimultaneous}
      and (sources = '{}' or ${sources.length === 0} or sources && ${sources as string[]}::text[]) limit 1`.execute(
    db,
  )
  if (overlapping.length > 0) fail('delegation.overlaps')
}

/** Activates delegations that have begun. Call in a transaction. */
export async function activateDelegations(db: Db) {
  const { rows: activated } = await sql<{ account_id: string }>`
    update task_delegation set state = 'active'
    where state = 'waiting' and starts_at <= now() and ends_at > now() returning account_id`.execute(
    db,
  )
  await syncDelegated(db, { accounts: activated.map(({ account_id }) => account_id) })
}

/** Ends delegations that are over. Call in a transaction. */
export async function endExpired(db: Db) {
  const { rows: expired } = await sql<{ id: string; account_id: string; ends_on: string }>`
    update task_delegation set state = 'over' where state <> 'over' and ends_at <= now()
    returning id, account_id, ends_on::text`.execute(db)
  await endSteps(
    db,
    expired.map(({ account_id }) => account_id),
  )
  for (const { id, account_id } of expired)
    await sendMessage(db, {
      kind: delegationMessages.kinds.over,
      to: { accounts: [account_id] },
      title: { zh: '待办委托已结束', en: 'Your delegation has ended' },
      url: delegationPage,
      source: { code: '#delegation-over', key: id },
    })
}

/** Deletes the delegates' copies of these accounts' steps, except those another delegation still gives them. */
async function endSteps(db: Db, accounts: readonly string[]) {
  if (accounts.length === 0) return
  await sql`
    delete from task_step held using task_step step
    where step.id = held.for_step_id and step.account_id = any(${accounts as string[]}::bigint[]) and held.done_at is null`.execute(
    db,
  )
  await syncDelegated(db, { accounts })
}

const getOwnDelegation = async (db: Db, viewer: Member, id: string) =>
  (
    await listDelegations(
      db,
      sql`delegation.id = ${id} and delegation.account_id = ${viewer.accountId}`,
    )
  )[0] ?? fail('delegation.not_found')

async function listDelegations(db: Db, which: ReturnType<typeof sql>): Promise<Delegation[]> {
  const { rows } = await sql<Delegation>`
    select delegation.id, delegation.starts_on::text as "startsOn", delegation.ends_on::text as "endsOn", delegation.state,
      delegation.sources, delegation.note, person.name as person, person.name_en as "personEn",
      delegation.revoked_at as "revokedAt",
      (select jsonb_agg(jsonb_build_object('username', account.username, 'name', other.name, 'nameEn', other.name_en)
          order by account.id)
        from task_delegate delegate join account on account.id = delegate.account_id
        join person other on other.id = account.person_id where delegate.delegation_id = delegation.id) as people,
      (select count(*)::integer from task_delegate delegate
        join task_step step on step.acted_by_account_id = delegate.account_id and step.account_id = delegation.account_id
          and step.done_at >= delegation.starts_at and step.done_at < coalesce(delegation.revoked_at, delegation.ends_at)
        where delegate.delegation_id = delegation.id) as handled
    from task_delegation delegation
    join account owner on owner.id = delegation.account_id join person on person.id = owner.person_id
    where ${which} order by delegation.id desc limit ${maxListed}`.execute(db)
  return rows.map((row) => ({ ...row, people: row.people ?? [] }))
}

/** Sources of the to-dos due first. */
async function listSources(db: Db, accountId: string): Promise<string[]> {
  const { rows } = await sql<{ source: string }>`
    select distinct task.source from (
      select task_id from task_step where account_id = ${accountId} and kind = 'handle' and done_at is null and for_step_id is null
      order by coalesce(due_at, 'infinity'::timestamptz), id limit 1000
    ) step join task on task.id = step.task_id order by 1 limit ${maxSources}`.execute(db)
  return rows.map(({ source }) => source)
}
