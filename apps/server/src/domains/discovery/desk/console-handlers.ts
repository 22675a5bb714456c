import type { Static } from '@atrium/contract/define'
import type { deskConsole, ManagedDesk } from '@atrium/contract/discovery/desk.operator'
import { parseOpeningHours } from '@atrium/rules/opening-hours'
import { type RawBuilder, sql } from 'kysely'
import { getOperatedOrganization } from '#domains/content/editorial/columns.ts'
import { audienceFor, type Rule } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { operatedIn } from '#platform/permissions.ts'
import { waitingCount } from './queries.ts'

function operatedCondition(viewer: Member): RawBuilder<boolean> {
  const codes = operatedIn(viewer, 'messages')
  return codes === null
    ? sql<boolean>`true`
    : sql<boolean>`organization.path && ${codes as string[]}::text[]`
}

async function listManaged(db: Db, viewer: Member, id?: string): Promise<ManagedDesk[]> {
  const ratingOf = (what: string) =>
    sql.raw(`(select ${what} from desk_case one join dialog on dialog.id = one.dialog_id
    where one.desk_id = desk.id and dialog.score is not null and dialog.last_at > now() - interval '90 days')`)
  const rows = await db
    .selectFrom('desk')
    .innerJoin('audience', 'audience.id', 'desk.audience_id')
    .leftJoin('organization', 'organization.id', 'desk.organization_id')
    .select([
      'desk.id',
      'desk.revision',
      'desk.name',
      'desk.name_en as nameEn',
      'desk.hours',
      'desk.online',
      'desk.position',
      'organization.code as organization',
      'audience.rules',
      waitingCount,
      sql<
        string[]
      >`array(select account.username from desk_agent join account on account.id = desk_agent.account_id
        where desk_agent.desk_id = desk.id order by account.username)`.as('agents'),
      sql<number>`${ratingOf('count(*)::integer')}`.as('rated'),
      sql<number | null>`${ratingOf('round(avg(dialog.score), 2)::float8')}`.as('score'),
    ])
    .where(operatedCondition(viewer))
    .$if(id !== undefined, (query) => query.where('desk.id', '=', id as string))
    .orderBy('desk.position')
    .orderBy('desk.id')
    .limit(500)
    .execute()
  return rows.map(({ rules, ...row }) => ({
    ...row,
    audience: (rules as Rule[])
      .filter((rule) => rule.kind !== 'account')
      .map((rule) => ({ target: '', ...rule })) as ManagedDesk['audience'],
  }))
}

async function getManaged(db: Db, viewer: Member, id: string) {
  const [desk] = await listManaged(db, viewer, id)
  return desk ?? fail('desk.not_found')
}

type Content = Static<typeof deskConsole.create.body>

/** @throws request.invalid */
async function valuesOf(db: Db, viewer: Member, content: Content) {
  const place = await getOperatedOrganization(db, viewer, 'messages', content.organization)
  const hours = content.hours.trim()
  if (hours !== '' && !parseOpeningHours(hours))
    fail('request.invalid', { fields: { hours: 'format' } })
  return {
    name: content.name.trim(),
    name_en: content.nameEn.trim(),
    organization_id: place?.id ?? null,
    audience_id: await audienceFor(db, await checkedAudience(db, content.audience)),
    hours,
    online: content.online,
    position: content.position,
  }
}

/** Replaces the agents of a desk. @throws request.invalid */
async function setAgents(db: Db, deskId: string, usernames: readonly string[]) {
  const names = [...new Set(usernames.map((name) => name.trim().toLowerCase()))]
  const accounts =
    names.length === 0
      ? []
      : await db
          .selectFrom('account')
          .select(['id', 'username'])
          .where('username', 'in', names)
          .execute()
  if (accounts.length < names.length) fail('request.invalid', { fields: { agents: 'unknown' } })
  await db.deleteFrom('desk_agent').where('desk_id', '=', deskId).execute()
  if (accounts.length > 0)
    await db
      .insertInto('desk_agent')
      .values(accounts.map(({ id }) => ({ desk_id: deskId, account_id: id })))
      .execute()
}

export const deskConsoleHandlers: Handlers<typeof deskConsole> = {
  list: ({ db, viewer }) => listManaged(db, viewer),

  create: ({ platform, viewer, body: { agents, ...content } }) =>
    platform.db.transaction().execute(async (db) => {
      const { id } = await db
        .insertInto('desk')
        .values(await valuesOf(db, viewer, { ...content, agents }))
        .returning('id')
        .executeTakeFirstOrThrow()
      await setAgents(db, id, agents)
      return getManaged(db, viewer, id)
    }),

  update: ({ platform, viewer, params: { id }, body: { revision, ...content } }) =>
    platform.db.transaction().execute(async (db) => {
      await getManaged(db, viewer, id)
      const changed = await db
        .updateTable('desk')
        .set({ ...(await valuesOf(db, viewer, content)), revision: revision + 1 })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .executeTakeFirst()
      if (changed.numUpdatedRows === 0n) fail('desk.changed_meanwhile')
      await setAgents(db, id, content.agents)
      return getManaged(db, viewer, id)
    }),

  remove: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      await getManaged(db, viewer, id)
      const deleted = await db
        .deleteFrom('desk')
        .where('id', '=', id)
        .where(
          sql<boolean>`not exists (select from desk_case where desk_id = desk.id and state <> 'closed')`,
        )
        .executeTakeFirst()
      if (deleted.numDeletedRows === 0n) fail('desk.in_use')
      return null
    }),
}
