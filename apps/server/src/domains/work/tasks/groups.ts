import { maxTaskGroups, type TaskGroup, type taskGroups } from '@atrium/contract/work/task-groups'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { isEffective } from './delegated-steps.ts'
import { isParticipant } from './queries.ts'

export const taskGroupHandlers: Handlers<typeof taskGroups> = {
  list: ({ db, viewer }) => listGroups(db, viewer.accountId),

  create: ({ platform, viewer: { accountId }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await lockGroups(db, accountId)
      const groups = await listGroups(db, accountId)
      if (groups.length >= maxTaskGroups) fail('task.group_too_many')
      const name = body.name.trim()
      const created = await db
        .insertInto('task_group')
        .values({ account_id: accountId, name, position: groups.length })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      return { id: (created ?? fail('task.group_known')).id, name, open: 0 }
    }),

  async checkName({ db, viewer, query }) {
    const found = await db
      .selectFrom('task_group')
      .select('id')
      .where('account_id', '=', viewer.accountId)
      .where(sql`lower(name)`, '=', query.name.trim().toLowerCase())
      .executeTakeFirst()
    return { free: found === undefined }
  },

  move: ({ platform, viewer: { accountId }, body: { taskIds, groupId } }) =>
    platform.db.transaction().execute(async (db) => {
      const ids = [...new Set(taskIds)]
      if (groupId !== null) await findGroup(db, accountId, groupId)
      const ownTasks = await sql<{ id: string }>`
        select id from task where id = any(${ids}::bigint[]) and ${isParticipant(accountId)}`.execute(
        db,
      )
      if (ownTasks.rows.length < ids.length) fail('task.not_found')
      await db
        .deleteFrom('task_in_group')
        .where('account_id', '=', accountId)
        .where('task_id', '=', sql<string>`any(${ids}::bigint[])`)
        .execute()
      if (groupId !== null)
        await sql`
          insert into task_in_group (account_id, task_id, group_id)
          select ${accountId}, task_id, ${groupId} from unnest(${ids}::bigint[]) as task_id
          on conflict (account_id, task_id) do update set group_id = excluded.group_id`.execute(db)
      return null
    }),

  order: ({ platform, viewer: { accountId }, body: { ids } }) =>
    platform.db.transaction().execute(async (db) => {
      await lockGroups(db, accountId)
      await sql`
        update task_group set position = ordered.position
        from (
          select id, row_number() over (order by array_position(${ids}::bigint[], id), position, id) - 1 as position
          from task_group where account_id = ${accountId}
        ) ordered
        where task_group.id = ordered.id`.execute(db)
      return listGroups(db, accountId)
    }),

  rename: ({ platform, viewer: { accountId }, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await lockGroups(db, accountId)
      const groups = await listGroups(db, accountId)
      const group = groups.find((one) => one.id === id) ?? fail('task.group_not_found')
      const name = body.name.trim()
      if (groups.some((one) => one.id !== id && one.name.toLowerCase() === name.toLowerCase()))
        fail('task.group_known')
      await db.updateTable('task_group').set({ name }).where('id', '=', id).execute()
      return { ...group, name }
    }),

  async remove({ db, viewer: { accountId }, params: { id } }) {
    await findGroup(db, accountId, id)
    await db.deleteFrom('task_group').where('id', '=', id).execute()
    return null
  },
}

/** Serialises changes from several devices of a member. */
const lockGroups = (db: Db, accountId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`task groups ${accountId}`}, 0))`.execute(db)

const findGroup = async (db: Db, accountId: string, id: string) =>
  (await db
    .selectFrom('task_group')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()) ?? fail('task.group_not_found')

const listGroups = (db: Db, accountId: string): Promise<TaskGroup[]> =>
  db
    .selectFrom('task_group')
    .select((query) => [
      'task_group.id',
      'task_group.name',
      query
        .selectFrom('task_in_group')
        .innerJoin('task_step', 'task_step.task_id', 'task_in_group.task_id')
        .select(sql<number>`count(distinct task_step.task_id)::integer`.as('open'))
        .whereRef('task_in_group.group_id', '=', 'task_group.id')
        .where('task_step.account_id', '=', accountId)
        .where('task_step.kind', '=', 'handle')
        .where('task_step.done_at', 'is', null)
        .where(isEffective('task_step'))
        .where(sql<boolean>`(task_step.snoozed_until is null or task_step.snoozed_until <= now())`)
        .as('open'),
    ])
    .where('task_group.account_id', '=', accountId)
    .orderBy('task_group.position')
    .orderBy('task_group.id')
    .execute() as Promise<TaskGroup[]>
