import { randomUUID } from 'node:crypto'
import { privacy } from '@atrium/contract/member/privacy'
import { messages } from '@atrium/contract/work/messages'
import { type TodoDetail, todos } from '@atrium/contract/work/todos'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { remind } from './reminders.ts'
import { nextDue, type Repeat } from './repeat.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller

beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  await sql`truncate todo cascade`.execute(app.platform.db)
})
afterEach(async () => {
  await sql`truncate todo cascade`.execute(app.platform.db)
})

const blank = {
  title: '交实验报告',
  note: '',
  dueLocal: '',
  timeZone: 'Asia/Shanghai',
  allDay: false,
  repeat: 'none' as Repeat,
  tags: [] as string[],
  reminders: [] as number[],
  steps: [] as { text: string; done: boolean }[],
  executors: [] as { accountName: string; mayFinish: boolean }[],
}
async function create(more: Partial<typeof blank> = {}, as = student): Promise<TodoDetail> {
  const answer = await as(todos.create, { body: { key: randomUUID(), ...blank, ...more } })
  expect(answer.status, answer.raw).toBe(200)
  return answer.data
}
const titles = async (as = student, query: object = {}) => {
  const answer = await as(todos.list, { query })
  expect(answer.status, answer.raw).toBe(200)
  return answer.data.list.map(({ title }: { title: string }) => title)
}
const finish = (as: Caller, id: string, finished = true) =>
  as(todos.finish, { params: { id }, body: { finished } })
const tomorrow = () =>
  Temporal.Now.plainDateTimeISO('Asia/Shanghai').add({ days: 1 }).toString().slice(0, 16)

describe('a to-do with a source', () => {
  const from = async (url: string, executors: typeof blank.executors = []) => {
    const body = { key: randomUUID(), ...blank, executors, source: { title: '来源', url } }
    return (await student(todos.create, { body })).data
  }
  const sourceOf = async (id: string, as = student) =>
    (await as(todos.read, { params: { id } })).data.source

  test('links to an article while it is published', async () => {
    const { rows } = await sql<{ id: string; published_at: string }>`
      select article.id, published_at from article join news_column on news_column.id = column_id
      where code = 'headlines' and published_at < now() order by article.id limit 1`.execute(
      app.platform.db,
    )
    const { id: article = '', published_at } = rows[0] ?? {}
    const url = `/pagesA/news/detail?id=${article}&columnId=1`
    const { id, source } = await from(url)
    expect(source).toEqual({ title: '来源', url })
    const publish = (at: unknown) =>
      sql`update article set published_at = ${at} where id = ${article}`.execute(app.platform.db)
    await publish('2999-01-01T00:00:00Z')
    expect(await sourceOf(id)).toBeNull()
    await publish(published_at)
    expect(await sourceOf(id)).toEqual({ title: '来源', url })
  })

  test('links to a message or an event only for members who can see it', async () => {
    const { rows } = await sql<{ message: string; event: string }>`
      select (select message_id from message_delivery d join account a on a.id = d.account_id
          where a.username = 'student' and d.hidden_at is null and not exists (
            select from message_delivery other join account b on b.id = other.account_id
            where other.message_id = d.message_id and b.username = 'staff') limit 1) as message,
        (select event.id from event join calendar on calendar.id = calendar_id join account a on a.id = calendar.owner_account_id
          where a.username = 'student' limit 1) as event`.execute(app.platform.db)
    const [{ message, event } = { message: '', event: '' }] = rows
    const executors = [{ accountName: 'staff', mayFinish: false }]
    for (const url of [
      `/pagesA/message/detail?id=${message}`,
      `/pages/shedul/shedulDetail?id=${event}&startsAt=2026-01-01`,
    ]) {
      const { id, source } = await from(url, executors)
      expect(source, url).toEqual({ title: '来源', url })
      expect(await sourceOf(id, staff), url).toBeNull()
    }
    // Other pages of the portal check access themselves.
    const { id } = await from('/pages/tab/my/my', executors)
    expect(await sourceOf(id, staff)).not.toBeNull()
    for (const url of ['/pagesA/message/detail?id=x', '/pagesA/news/detail'])
      expect((await from(url)).source).toBeNull()
  })
})

describe('a member’s own to-do', () => {
  test('is created once per key, changed, finished, reopened and deleted', async () => {
    const key = randomUUID()
    const body = { key, ...blank, dueLocal: '2027-03-01T17:00', tags: ['课程'] }
    const first = await student(todos.create, { body })
    const again = await student(todos.create, { body })
    expect(again.data.id).toBe(first.data.id)
    const { id, version } = first.data
    expect(first.data).toMatchObject({ dueAt: '2027-03-01T09:00:00.000Z', own: true, version: 1 })

    const change = { ...blank, title: '交课程报告', version }
    const changed = await student(todos.update, { params: { id }, body: change })
    expect(changed.data).toMatchObject({ title: '交课程报告', dueAt: null, version: 2 })
    const late = await student(todos.update, { params: { id }, body: change })
    expect(late.error).toBe('todo.changed_meanwhile')

    expect((await finish(student, id)).data.finishedAt).toEqual(expect.any(String))
    expect(await titles()).toEqual([])
    expect(await titles(student, { finished: true })).toEqual(['交课程报告'])
    await finish(student, id, false)
    expect(await titles()).toEqual(['交课程报告'])
    expect((await student(todos.remove, { params: { id } })).status).toBe(200)
    expect((await student(todos.read, { params: { id } })).error).toBe('todo.not_found')
  })

  test('is not accessible to other members', async () => {
    const { id } = await create()
    const body = { ...blank, version: 1 }
    for (const answer of [
      await teacher(todos.read, { params: { id } }),
      await teacher(todos.update, { params: { id }, body }),
      await teacher(todos.remove, { params: { id } }),
      await finish(teacher, id),
      await teacher(todos.setStep, { params: { id }, body: { index: 0, done: true } }),
      await teacher(todos.move, { params: { id }, body: { before: null } }),
    ])
      expect([answer.status, answer.error]).toEqual([404, 'todo.not_found'])
  })

  test('is listed in the order set by its owner, across pages', async () => {
    const ids: Record<string, string> = {}
    for (const title of ['a', 'b', 'c', 'd']) ids[title] = (await create({ title })).id
    const move = (id = '', before: string | null = null) =>
      student(todos.move, { params: { id }, body: { before } })
    await move(ids.d, ids.b)
    expect(await titles()).toEqual(['a', 'd', 'b', 'c'])
    await move(ids.a, null)
    expect(await titles()).toEqual(['d', 'b', 'c', 'a'])
    for (let turn = 0; turn < 60; turn++)
      await move(ids[turn % 2 ? 'b' : 'c'], ids[turn % 2 ? 'c' : 'b'])
    expect((await titles()).length).toBe(4)
    const order = await titles()
    const paged: string[] = []
    let cursor: string | undefined
    do {
      const { data } = await student(todos.list, {
        query: { pageSize: 1, ...(cursor && { cursor }) },
      })
      paged.push(...data.list.map(({ title }: { title: string }) => title))
      cursor = data.nextCursor ?? undefined
    } while (cursor)
    expect(paged).toEqual(order)
  })

  test('is found by keywords and tags', async () => {
    await create({ title: '还书 50%', tags: ['图书馆'] })
    await create({ title: '买菜', note: '顺路还书' })
    expect(await titles(student, { keyWords: '还书' })).toHaveLength(2)
    expect(await titles(student, { keyWords: '50%' })).toEqual(['还书 50%'])
    expect(await titles(student, { tag: '图书馆' })).toEqual(['还书 50%'])
  })

  test('has up to 100 steps, which can be completed concurrently', async () => {
    const steps = ['收集数据', '写结论'].map((text) => ({ text, done: false }))
    const { id } = await create({ steps })
    const tick = (index: number) =>
      student(todos.setStep, { params: { id }, body: { index, done: true } })
    await Promise.all([tick(0), tick(1), tick(50)])
    const { data } = await student(todos.read, { params: { id } })
    expect(data).toMatchObject({ steps: 2, stepsDone: 2 })
    // A form opened before does not untick them.
    const late = await student(todos.update, {
      params: { id },
      body: { ...blank, steps, version: 1 },
    })
    expect(late.error).toBe('todo.changed_meanwhile')
    const many = Array.from({ length: 101 }, () => ({ text: 'x', done: false }))
    const refused = await student(todos.create, {
      body: { key: randomUUID(), ...blank, steps: many },
    })
    expect(refused.error).toBe('request.invalid')
  })

  test.each([
    ['a nonexistent date', { dueLocal: '2027-02-30T09:00' }, 'dueLocal'],
    ['a nonexistent time zone', { timeZone: 'Asia/Nowhere' }, 'timeZone'],
    ['a reminder without a due date', { reminders: [10] }, 'dueLocal'],
    ['a repetition without a due date', { repeat: 'daily' as const }, 'dueLocal'],
    ['a due date long ago', { dueLocal: '0002-01-01T09:00', repeat: 'daily' as const }, 'dueLocal'],
    ['a due date far ahead', { dueLocal: '2099-01-01T09:00' }, 'dueLocal'],
    [
      'an unknown executor',
      { executors: [{ accountName: 'ghost', mayFinish: false }] },
      'executors.0',
    ],
    [
      'the owner as executor',
      { executors: [{ accountName: 'student', mayFinish: true }] },
      'executors.0',
    ],
  ])('is rejected with %s, with an error for its field', async (_, more, field) => {
    const answer = await student(todos.create, { body: { key: randomUUID(), ...blank, ...more } })
    expect(answer.error).toBe('request.invalid')
    expect(Object.keys(answer.fields ?? {})).toEqual([field])
  })
})

describe('an assigned to-do', () => {
  const given = {
    executors: [
      { accountName: 'teacher', mayFinish: false },
      { accountName: 'staff', mayFinish: true },
    ],
  }

  test('is shown to its executors, who mark it done and may finish it if allowed', async () => {
    const { id } = await create(given)
    expect(await titles(teacher)).toEqual(['交实验报告'])
    const { data: told } = await teacher(messages.list, { query: { keyWords: '交给你一项待办' } })
    expect(told.list).toHaveLength(1)
    // An executor cannot change the to-do.
    const changed = await teacher(todos.update, { params: { id }, body: { ...blank, version: 1 } })
    expect(changed.error).toBe('todo.not_found')

    const part = await finish(teacher, id)
    expect(part.data).toMatchObject({ finishedAt: null, doneAt: expect.any(String), own: false })
    await finish(teacher, id)
    const { data: progress } = await student(messages.list, {
      query: { keyWords: '已完成：交实验报告' },
    })
    expect(progress.list).toHaveLength(1)
    const { data: own } = await student(todos.read, { params: { id } })
    expect(own.executorList).toMatchObject([
      { accountName: 'teacher', doneAt: expect.any(String) },
      { accountName: 'staff', mayFinish: true, doneAt: null },
    ])
    await finish(staff, id)
    expect((await student(todos.read, { params: { id } })).data.finishedAt).toEqual(
      expect.any(String),
    )
    expect(await titles(teacher)).toEqual([])
  })

  test('is not listed for executors who left it or were removed', async () => {
    const { id, version } = await create(given)
    await teacher(todos.remove, { params: { id } })
    expect(await titles(teacher)).toEqual([])
    expect(await titles()).toHaveLength(1)
    await student(todos.update, { params: { id }, body: { ...blank, version } })
    expect(await titles(staff)).toEqual([])
    expect((await staff(todos.read, { params: { id } })).status).toBe(404)
  })

  test('cannot be assigned to members who do not allow letters', async () => {
    await teacher(privacy.update, { body: { lettersAllowed: false } })
    const answer = await student(todos.create, {
      body: { key: randomUUID(), ...blank, ...given },
    })
    expect(answer.error).toBe('todo.declined')
    expect(await titles()).toEqual([])
    await teacher(privacy.update, { body: { lettersAllowed: true } })
  })

  test('has executors that are found by the beginning of their name', async () => {
    const { data } = await student(todos.people, { query: { keyWords: '陈思' } })
    expect(data.length).toBeLessThanOrEqual(10)
    expect(data.map(({ accountName }: { accountName: string }) => accountName)).toContain('staff')
  })
})

describe('reminders and repetition', () => {
  test('a reminder is sent once, only to those not done and not long after its time', async () => {
    const { db } = app.platform
    const { id } = await create({
      title: '提醒我',
      dueLocal: tomorrow(),
      reminders: [0, 10],
      executors: [{ accountName: 'teacher', mayFinish: false }],
    })
    const send = () => db.transaction().execute((db) => remind(db, app.platform.log))
    expect(await send()).toBe(0)
    await finish(teacher, id)
    await sql`update todo_reminder set remind_at = now() - interval '1 minute' where minutes = 10`.execute(
      db,
    )
    await sql`update todo_reminder set remind_at = now() - interval '3 days' where minutes = 0`.execute(
      db,
    )
    await Promise.all([send(), send()])
    const count = async (as: Caller) =>
      (await as(messages.list, { query: { keyWords: '待办提醒：提醒我' } })).data.list.length
    expect([await count(student), await count(teacher)]).toEqual([1, 0])
  })

  test('a reminder that fails does not keep the others from being sent', async () => {
    const { db, log } = app.platform
    for (const title of ['坏提醒', '好提醒'])
      await create({ title, dueLocal: tomorrow(), reminders: [0] })
    await sql`update todo_reminder set remind_at = now() - interval '1 minute'`.execute(db)
    await sql`alter table message add constraint no_bad check (title not like '%坏提醒%')`.execute(
      db,
    )
    try {
      const remindedOf = async (title: string) =>
        (await student(messages.list, { query: { keyWords: title } })).data.list.length
      await db.transaction().execute((db) => remind(db, log))
      expect([await remindedOf('坏提醒'), await remindedOf('好提醒')]).toEqual([0, 1])
    } finally {
      await sql`alter table message drop constraint no_bad`.execute(db)
    }
  })

  test('a finished repeating to-do is recreated once, until it is reopened', async () => {
    const { id } = await create({
      dueLocal: tomorrow(),
      repeat: 'weekly',
      reminders: [30],
      steps: [{ text: '一', done: true }],
      executors: [{ accountName: 'teacher', mayFinish: true }],
    })
    await Promise.all([finish(student, id), finish(teacher, id)])
    const { data } = await student(todos.list)
    expect(data.list).toMatchObject([{ stepsDone: 0, repeat: 'weekly', executors: 1 }])
    const [next] = data.list
    const first = await student(todos.read, { params: { id } })
    const week = 7 * 86_400_000
    expect(Date.parse(next?.dueAt ?? '') - Date.parse(first.data.dueAt ?? '')).toBe(week)
    expect(await titles(teacher)).toHaveLength(1)
    await finish(student, id, false)
    expect((await student(todos.list)).data.list.map(({ id }: { id: string }) => id)).toEqual([id])
    await finish(student, id)
    expect(await titles()).toHaveLength(1)
  })

  test('a repeating to-do moved to its previous date can be finished', async () => {
    const dueAfter = (days: number) =>
      Temporal.Now.plainDateTimeISO('Asia/Shanghai').add({ days }).toString().slice(0, 10)
    const repeat = 'weekly'
    let { id } = await create({ dueLocal: `${dueAfter(30)}T09:00`, repeat })
    const next = async () => {
      expect((await finish(student, id)).status).toBe(200)
      const { data } = await student(todos.list)
      expect(data.list).toHaveLength(1)
      return data.list[0]?.id ?? ''
    }
    id = await next()
    id = await next()
    const dueLocal = `${dueAfter(37)}T09:00`
    const { version } = (await student(todos.read, { params: { id } })).data
    await student(todos.update, {
      params: { id },
      body: { ...blank, dueLocal, repeat, version },
    })
    id = await next()
    const { data } = await student(todos.read, { params: { id } })
    expect(data.dueLocal).toBe(`${dueAfter(44)}T09:00`)
  })

  const at = (text: string, zone: string) =>
    Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds
  test.each<[Repeat, string, string, number, string]>([
    ['daily', '2026-03-28T09:00', 'Europe/Berlin', 28, '2026-03-29T09:00'],
    ['weekdays', '2026-11-27T09:00', 'Asia/Shanghai', 27, '2026-11-30T09:00'],
    ['weekdays', '2026-11-28T09:00', 'Asia/Shanghai', 28, '2026-11-30T09:00'],
    ['weekly', '2026-10-24T02:30', 'Europe/Berlin', 24, '2026-10-31T02:30'],
    ['monthly', '2026-01-31T09:00', 'Asia/Shanghai', 31, '2026-02-28T09:00'],
    ['monthly', '2026-02-28T09:00', 'Asia/Shanghai', 31, '2026-03-31T09:00'],
    ['yearly', '2024-02-29T09:00', 'Asia/Shanghai', 29, '2025-02-28T09:00'],
  ])('nextDue %s after %s in %s', (repeat, due, zone, day, expected) => {
    const dueAt = at(due, zone)
    expect(nextDue(repeat, dueAt, zone, day, dueAt)).toBe(at(expected, zone))
  })

  test.each<[Repeat, string, number, string]>([
    ['daily', '0002-01-01T09:00', 1, '2026-11-28T09:00'],
    // 1626-11-28 was a Saturday, like 2026-11-28.
    ['weekdays', '1626-11-28T09:00', 28, '2026-11-30T09:00'],
    ['weekly', '1626-11-25T09:00', 25, '2026-12-02T09:00'],
    ['monthly', '1726-02-28T09:00', 31, '2026-11-30T09:00'],
    ['yearly', '1604-02-29T09:00', 29, '2027-02-28T09:00'],
  ])('nextDue %s after %s does not step through centuries', (repeat, due, day, expected) => {
    const zone = 'Asia/Shanghai'
    const add = vi.spyOn(Temporal.PlainDateTime.prototype, 'add')
    const next = nextDue(repeat, at(due, zone), zone, day, at('2026-11-27T10:00', zone))
    const steps = add.mock.calls.length
    add.mockRestore()
    expect(next).toBe(at(expected, zone))
    expect(steps).toBeLessThan(30)
  })

  test('nextDue is always in the future, whatever was missed', () => {
    const repeats = fc.constantFrom<Repeat>('daily', 'weekdays', 'weekly', 'monthly', 'yearly')
    const zones = fc.constantFrom(
      'Asia/Shanghai',
      'Europe/Berlin',
      'America/New_York',
      'Pacific/Apia',
    )
    const times = fc.integer({ min: Date.UTC(2020), max: Date.UTC(2030) })
    fc.assert(
      fc.property(
        repeats,
        zones,
        times,
        // days up to two years, or up to eight centuries
        fc.oneof(fc.integer({ min: 0, max: 800 }), fc.integer({ min: 0, max: 300_000 })),
        (repeat, zone, due, days) => {
          const now = due + days * 86_400_000
          const { day } = Temporal.Instant.fromEpochMilliseconds(due).toZonedDateTimeISO(zone)
          const next = nextDue(repeat, due, zone, day, now) ?? 0
          expect(next).toBeGreaterThan(now)
          expect(next - Math.max(now, due)).toBeLessThanOrEqual(366 * 86_400_000 + 7_200_000)
        },
      ),
      { numRuns: 200 },
    )
  })
})
