import { randomUUID } from 'node:crypto'
import { isTimeZone } from '@atrium/contract/config-checks'
import type { Body } from '@atrium/contract/define'
import type { TodoDetail, todos } from '@atrium/contract/work/todos'
import { sql } from 'kysely'
import { accountsNamed } from '#domains/identity/members/name-index.ts'
import { acceptsMessagesFrom, isFindable } from '#domains/member/privacy/settings.ts'
import { sendMessage } from '#domains/work/messages/send.ts'
import type { Db } from '#platform/database/db.ts'
import { announce } from '#platform/database/topics.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { pageSizeOf } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { detailPage, todoMessages } from './messages.ts'
import { countOpen, findTodo, lastPosition, listTodos, lockTodo, setPosition } from './queries.ts'
import { nextDue, type Repeat } from './repeat.ts'
import { getVisibleSource } from './sources.ts'

const maxOpen = 1000
/** Ten years: a due date farther away is a typing error. */
const maxDueDays = 3653
const maxFoundPeople = 10

type Content = Omit<Body<typeof todos.update>, 'version'>

export const todoHandlers: Handlers<typeof todos> = {
  list: ({ db, viewer, query: { finished = false, ...query } }) =>
    listTodos(db, viewer.accountId, { ...query, finished, pageSize: pageSizeOf(query) }),

  async create({ platform, viewer, body: { key, source, ...content } }) {
    const dueAt = parseDueAt(content)
    const executors = await resolveExecutors(platform, viewer, content)
    const id = await platform.db.transaction().execute(async (db) => {
      const existingId = await findByKey(db, viewer, key)
      if (existingId) return existingId
      if ((await countOpen(db, viewer.accountId)) >= maxOpen) fail('todo.too_many')
      const inserted = await db
        .insertInto('todo')
        .values({
          ...rowOf(content, dueAt),
          account_id: viewer.accountId,
          key,
          source: source ? JSON.stringify(source) : null,
        })
        .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!inserted) return (await findByKey(db, viewer, key)) ?? fail('todo.not_found')
      await db
        .insertInto('todo_member')
        .values({
          todo_id: inserted.id,
          account_id: viewer.accountId,
          owner: true,
          may_finish: true,
          position: lastPosition(viewer.accountId),
        })
        .execute()
      await setExecutors(db, viewer, inserted.id, content.title, executors)
      await setReminders(db, inserted.id, content, dueAt)
      return inserted.id
    })
    return detailOf(platform.db, viewer, id)
  },

  read: ({ db, viewer, params }) => detailOf(db, viewer, params.id),

  async update({ platform, viewer, params: { id }, body: { version, ...content } }) {
    const dueAt = parseDueAt(content)
    const executors = await resolveExecutors(platform, viewer, content)
    await platform.db.transaction().execute(async (db) => {
      const todo = await lockOwnedTodo(db, viewer, id)
      if (todo.version !== version) fail('todo.changed_meanwhile')
      await db
        .updateTable('todo')
        .set({ ...rowOf(content, dueAt), version: version + 1 })
        .where('id', '=', id)
        .execute()
      await setExecutors(db, viewer, id, content.title, executors)
      await setReminders(db, id, content, dueAt)
    })
    return detailOf(platform.db, viewer, id)
  },

  remove: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      const todo = (await lockTodo(db, viewer.accountId, id)) ?? fail('todo.not_found')
      if (todo.owner) await db.deleteFrom('todo').where('id', '=', id).execute()
      else
        await db
          .deleteFrom('todo_member')
          .where('todo_id', '=', id)
          .where('account_id', '=', viewer.accountId)
          .execute()
      return null
    }),

  async finish({ platform, viewer, params: { id }, body: { finished } }) {
    await platform.db.transaction().execute(async (db) => {
      const todo = (await lockTodo(db, viewer.accountId, id)) ?? fail('todo.not_found')
      if (!todo.owner) await setDone(db, viewer, id, finished)
      if (!todo.may_finish || (todo.finished_at !== null) === finished) return
      if (finished) await finishTodo(db, id)
      else await reopenTodo(db, id, todo.next_id)
    })
    return detailOf(platform.db, viewer, id)
  },

  async setStep({ platform, viewer, params: { id }, body: { index, done } }) {
    await platform.db.transaction().execute(async (db) => {
      const todo = (await lockTodo(db, viewer.accountId, id)) ?? fail('todo.not_found')
      await sql`
        update todo set steps = jsonb_set(steps, array[${index}::text, 'done'], ${JSON.stringify(done)}::jsonb, false),
          version = version + 1
        where id = ${todo.id} and jsonb_array_length(steps) > ${index}::integer`.execute(db)
    })
    return detailOf(platform.db, viewer, id)
  },

  move: ({ platform, viewer, params: { id }, body: { before } }) =>
    platform.db.transaction().execute(async (db) => {
      if (!(await lockTodo(db, viewer.accountId, id))) fail('todo.not_found')
      await setPosition(db, viewer.accountId, id, before)
      return null
    }),

  async people({ platform, db, viewer, query: { keyWords } }) {
    const open = sql<boolean>`account.status <> 'disabled' and account.person_id <> ${viewer.personId}
      and ${await isFindable(platform, keyWords)}`
    const { rows } = await sql<{
      accountName: string
      name: string
      nameEn: string
      organization: string
      organizationEn: string
    }>`
      select account.username as "accountName", person.name, person.name_en as "nameEn",
        organization.name as organization, organization.name_en as "organizationEn"
      from ${accountsNamed(keyWords, open, maxFoundPeople)} as named
      join account on account.id = named.id join person on person.id = account.person_id
      join organization on organization.id = account.organization_id
      order by named.place`.execute(db)
    return rows
  },
}

const findByKey = async (db: Db, viewer: Member, key: string) => {
  const row = await db
    .selectFrom('todo')
    .select('id')
    .where('account_id', '=', viewer.accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.id
}

async function detailOf(db: Db, viewer: Member, id: string): Promise<TodoDetail> {
  const todo = (await findTodo(db, viewer.accountId, id)) ?? fail('todo.not_found')
  return { ...todo, source: await getVisibleSource(db, viewer, todo.source) }
}

/** Locks one of the member's own to-dos; only its owner may change it. */
async function lockOwnedTodo(db: Db, viewer: Member, id: string) {
  const todo = await lockTodo(db, viewer.accountId, id)
  return todo?.owner ? todo : fail('todo.not_found')
}

/** @throws request.invalid for a time that does not exist or is too far away, or if other fields need one */
function parseDueAt({ dueLocal, timeZone, allDay, reminders, repeat }: Content): string | null {
  if (!isTimeZone(timeZone)) fail('request.invalid', { fields: { timeZone: 'unknown' } })
  if (!dueLocal) {
    if (reminders.length > 0 || repeat !== 'none')
      fail('request.invalid', { fields: { dueLocal: 'required' } })
    return null
  }
  let dueAt: number
  try {
    const local = Temporal.PlainDateTime.from(dueLocal)
    const at = allDay ? local.with({ hour: 23, minute: 59 }) : local
    dueAt = at.toZonedDateTime(timeZone).epochMilliseconds
  } catch {
    return fail('request.invalid', { fields: { dueLocal: 'format' } })
  }
  if (Math.abs(dueAt - Date.now()) > maxDueDays * 86_400_000)
    fail('request.invalid', { fields: { dueLocal: 'range' } })
  return new Date(dueAt).toISOString()
}

const rowOf = (content: Content, dueAt: string | null) => ({
  title: content.title.trim(),
  note: content.note,
  due_at: dueAt,
  all_day: content.allDay,
  time_zone: content.timeZone,
  repeat: content.repeat,
  repeat_day: dueAt ? Number(content.dueLocal.slice(8, 10)) : null,
  tags: content.tags.map((tag) => tag.trim()),
  steps: JSON.stringify(content.steps),
})

type Executor = { id: string; mayFinish: boolean }

/**
 * @throws request.invalid for an unknown account, todo.declined for somebody who does not accept to-dos from the member
 */
async function resolveExecutors(
  platform: Platform,
  viewer: Member,
  { executors }: Content,
): Promise<Executor[]> {
  const names = executors.map(({ accountName }) => accountName.toLowerCase())
  const accounts = await platform.db
    .selectFrom('account')
    .select(['id', 'username'])
    .where('username', '=', sql<string>`any(${names}::text[])`)
    .where('status', '<>', 'disabled')
    .execute()
  const byName = new Map(accounts.map(({ id, username }) => [username, id]))
  const fields: Record<string, 'unknown' | 'choice'> = {}
  for (const [index, name] of names.entries()) {
    const id = byName.get(name)
    if (!id) fields[`executors.${index}`] = 'unknown'
    else if (id === viewer.accountId) fields[`executors.${index}`] = 'choice'
  }
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  const accepted = await Promise.all(
    accounts.map(({ id }) => acceptsMessagesFrom(platform, id, viewer.accountId)),
  )
  if (accepted.includes(false)) fail('todo.declined')
  return names.map((name, index) => ({
    id: byName.get(name) ?? '',
    mayFinish: executors[index]?.mayFinish ?? false,
  }))
}

/** Sets the executors and notifies those added; the to-do disappears from the lists of those removed. */
async function setExecutors(
  db: Db,
  viewer: Member,
  todoId: string,
  title: string,
  executors: readonly Executor[],
) {
  const ids = executors.map(({ id }) => id)
  await sql`delete from todo_member where todo_id = ${todoId} and not owner and account_id <> all(${ids}::bigint[])`.execute(
    db,
  )
  const { rows: added } = await sql<{ account_id: string }>`
    insert into todo_member (todo_id, account_id, owner, may_finish, position)
    select ${todoId}::bigint, executor.id, false, executor.may_finish,
      (select coalesce(max(position), 0) + 1 from todo_member other where other.account_id = executor.id and other.finished_at is null)
    from unnest(${ids}::bigint[], ${executors.map(({ mayFinish }) => mayFinish)}::boolean[]) as executor (id, may_finish)
    where not exists (select from todo_member there where there.todo_id = ${todoId} and there.account_id = executor.id)
    on conflict do nothing returning account_id`.execute(db)
  await sql`
    update todo_member set may_finish = executor.may_finish
    from unnest(${ids}::bigint[], ${executors.map(({ mayFinish }) => mayFinish)}::boolean[]) as executor (id, may_finish)
    where todo_id = ${todoId} and account_id = executor.id and todo_member.may_finish <> executor.may_finish`.execute(
    db,
  )
  if (added.length === 0) return
  await sendMessage(db, {
    kind: todoMessages.kinds.given,
    to: { accounts: added.map(({ account_id }) => account_id) },
    title: {
      zh: `${viewer.name} 交给你一项待办`,
      en: `${viewer.nameEn || viewer.name} gave you a to-do`,
    },
    summary: { zh: title.trim(), en: title.trim() },
    url: detailPage(todoId),
  })
}

/** A reminder already past when it is set is not sent. */
async function setReminders(
  db: Db,
  todoId: string,
  { reminders }: Pick<Content, 'reminders'>,
  dueAt: string | null,
) {
  await db.deleteFrom('todo_reminder').where('todo_id', '=', todoId).execute()
  if (!dueAt || reminders.length === 0) return
  await db
    .insertInto('todo_reminder')
    .values(
      reminders.map((minutes) => {
        const at = new Date(Date.parse(dueAt) - minutes * 60_000)
        return {
          todo_id: todoId,
          minutes,
          remind_at: at.toISOString(),
          sent_at: at.getTime() < Date.now() ? new Date().toISOString() : null,
        }
      }),
    )
    .execute()
  await announce(db, { kind: 'todo', key: '' })
}

/** An executor's own part of a to-do. The owner is notified once. */
async function setDone(db: Db, viewer: Member, id: string, done: boolean) {
  const { numUpdatedRows } = await db
    .updateTable('todo_member')
    .set({ done_at: done ? sql`now()` : null })
    .where('todo_id', '=', id)
    .where('account_id', '=', viewer.accountId)
    .where('done_at', done ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (!done || numUpdatedRows === 0n) return
  const { account_id, title } = await db
    .selectFrom('todo')
    .select(['account_id', 'title'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await sendMessage(db, {
    kind: todoMessages.kinds.progress,
    to: { accounts: [account_id] },
    title: {
      zh: `${viewer.name} 已完成：${title}`,
      en: `${viewer.nameEn || viewer.name} has done: ${title}`,
    },
    url: detailPage(id),
    source: { code: '#todo-done', key: `${id} ${viewer.accountId}` },
  })
}

async function setFinished(db: Db, id: string, finished: boolean) {
  const at = finished ? sql<string>`now()` : null
  await db.updateTable('todo').set({ finished_at: at }).where('id', '=', id).execute()
  await db.updateTable('todo_member').set({ finished_at: at }).where('todo_id', '=', id).execute()
}

/** Finishes a to-do. A repeating one is copied to the same lists for its next date, with its steps reopened. */
async function finishTodo(db: Db, id: string) {
  await setFinished(db, id, true)
  const todo = await db
    .selectFrom('todo')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  // Its next occurrence already exists: it was reopened and finished again.
  if (!todo.due_at || todo.next_id !== null) return
  const next = nextDue(
    todo.repeat as Repeat,
    Date.parse(todo.due_at),
    todo.time_zone,
    todo.repeat_day ?? 1,
    Date.now(),
  )
  if (next === undefined) return
  const dueAt = new Date(next).toISOString()
  const { id: nextId } = await db
    .insertInto('todo')
    .values({
      account_id: todo.account_id,
      // Random: `next_id` already ensures that there is only one next occurrence.
      key: randomUUID(),
      title: todo.title,
      note: todo.note,
      due_at: dueAt,
      all_day: todo.all_day,
      time_zone: todo.time_zone,
      repeat: todo.repeat,
      repeat_day: todo.repeat_day,
      tags: todo.tags,
      steps: JSON.stringify(
        (todo.steps as { text: string }[]).map(({ text }) => ({ text, done: false })),
      ),
      source: todo.source === null ? null : JSON.stringify(todo.source),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into todo_member (todo_id, account_id, owner, may_finish, position)
    select ${nextId}::bigint, account_id, owner, may_finish, position from todo_member where todo_id = ${id}`.execute(
    db,
  )
  const reminders = await db
    .selectFrom('todo_reminder')
    .select('minutes')
    .where('todo_id', '=', id)
    .execute()
  await setReminders(db, nextId, { reminders: reminders.map(({ minutes }) => minutes) }, dueAt)
  await db.updateTable('todo').set({ next_id: nextId }).where('id', '=', id).execute()
}

/** Reopens a to-do. Its next occurrence is deleted, unless it was already changed. */
async function reopenTodo(db: Db, id: string, nextId: string | null) {
  await setFinished(db, id, false)
  if (nextId === null) return
  await db
    .deleteFrom('todo')
    .where('id', '=', nextId)
    .where('version', '=', 1)
    .where('finished_at', 'is', null)
    .execute()
}
