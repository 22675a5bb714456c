import {
  feedback,
  feedbackPhotos,
  maxContent,
  maxPhotoBytes,
} from '@atrium/contract/member/feedback'
import { feedbackConsole } from '@atrium/contract/member/feedback.operator'
import { messages } from '@atrium/contract/work/messages'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { clearPhotos } from '#domains/content/images/photos.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { updateSetting } from '#platform/settings/settings.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { answerFeedback } from './answer.ts'
import { feedbackPhotoTables } from './photos.ts'
import { closeAnswered } from './queries.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let staff: Caller
let admin: Caller
const db = () => app.platform.db
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  staff = await app.as('staff')
  admin = await app.as('admin')
})
const accountId = async (username: string) =>
  (
    await db()
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
/** Moves earlier feedback into the past, so that limits do not apply. */
afterEach(async () => {
  await sql`update feedback set created_at = created_at - interval '2 days'`.execute(db())
  await sql`update feedback_line set created_at = created_at - interval '2 days'`.execute(db())
})
let sent = 0
const send = async (caller: Caller, more: object = {}) => {
  const { data, ...rest } = await caller(feedback.send, {
    body: { key: `test-key-${++sent}`, kindId: '3', content: `路灯坏了 ${sent}`, ...more },
  })
  expect(rest.status).toBe(200)
  return data
}
const received = async (id: string) => (await admin(feedbackConsole.read, { params: { id } })).data
const answer = async (id: string, text = '已修复。') => {
  const { revision } = await received(id)
  return admin(feedbackConsole.answer, { params: { id }, body: { revision, text } })
}
const merge = async (id: string, into: string | null) => {
  const { revision } = await received(id)
  return admin(feedbackConsole.merge, { params: { id }, body: { revision, into } })
}
/** Makes a call while a transaction has made these changes, and commits them once the call had time to wait for it. */
async function during<T>(changes: (db: Db) => Promise<unknown>, call: () => Promise<T>) {
  const { pending } = await db()
    .transaction()
    .execute(async (db) => {
      await changes(db)
      const pending = call()
      await new Promise((resolve) => setTimeout(resolve, 500))
      return { pending }
    })
  return pending
}
const readFeedback = async (caller: Caller, id: string) => caller(feedback.read, { params: { id } })
const messagesAbout = async (caller: Caller, text: string) =>
  (await caller(messages.list, { query: { pageSize: 50 } })).data.list.filter(({ title }) =>
    title.includes(text),
  )
const operatorOf = async (username: 'teacher' | 'staff', code: string) => {
  const { rows } = await sql<{ id: string }>`
    select id::text from organization where code = ${code}`.execute(db())
  const id = await accountId(username)
  await db().deleteFrom('operator_grant').where('account_id', '=', id).execute()
  await insertGrants(db(), id, ['messages'], rows[0]?.id ?? '')
  await app.platform.topics.flushed()
}
const noOperator = async (username: 'teacher' | 'staff') => {
  await db()
    .deleteFrom('operator_grant')
    .where('account_id', '=', await accountId(username))
    .execute()
  await sql`select pg_notify('atrium', '{"kind":"topic","key":"directory"}')`.execute(db())
  await app.platform.topics.flushed()
}

test('the location of feedback is stored, visible to operators and validated', async () => {
  const point = { latitude: 29.4312, longitude: 120.2846 }
  const { id } = await send(student, { place: '图书馆主馆', point })
  expect((await readFeedback(student, id)).data).toMatchObject({ place: '图书馆主馆', point })
  expect((await received(id)).point).toEqual(point)
  expect((await readFeedback(teacher, id)).error).toBe('feedback.not_found')
  expect((await send(student, {})).point).toBeNull()
  const refused = await student(feedback.send, {
    body: { key: 'nowhere-on-earth', content: '路灯', point: { latitude: 0, longitude: 181 } },
  })
  expect(refused.status).toBe(400)
})

describe('a member', () => {
  test('sends feedback, adds a message, reads the answer and rates it', async () => {
    const { id, ...one } = await send(student, { place: '东门', contact: '13800000001' })
    expect(one).toMatchObject({ state: 'waiting', kindName: '宿舍与校园', department: '后勤处' })
    expect((await student(feedback.own)).data.list[0]).toMatchObject({ id, state: 'waiting' })
    expect(await student(feedback.rate, { params: { id }, body: { score: 5 } })).toMatchObject({
      error: 'feedback.not_answered',
    })
    await student(feedback.write, { params: { id }, body: { text: '又坏了一盏' } })
    expect((await answer(id)).data).toMatchObject({ state: 'answered' })
    expect(await messagesAbout(student, one.content)).toHaveLength(1)
    const read = (await readFeedback(student, id)).data
    expect(read.lines.map(({ author, text }) => [author, text])).toEqual([
      ['member', '又坏了一盏'],
      ['department', '已修复。'],
    ])
    const rated = await student(feedback.rate, {
      params: { id },
      body: { score: 4, comment: '很快' },
    })
    expect(rated.data).toMatchObject({ score: 4, scoreComment: '很快' })
    expect((await admin(feedbackConsole.counts)).data).toMatchObject({
      rated: expect.any(Number),
      score: expect.any(Number),
    })
    // Answered feedback waits again after a message by its author.
    const more = await student(feedback.write, { params: { id }, body: { text: '还是暗' } })
    expect(more.data.state).toBe('waiting')
  })

  test('creates one feedback with the same key, also in concurrent calls', async () => {
    const body = { key: 'one-and-the-same', kindId: '3', content: '只报一次' }
    const tries = await Promise.all([1, 2, 3, 4].map(() => student(feedback.send, { body })))
    expect(new Set(tries.map(({ data }) => data.id)).size).toBe(1)
    const { list } = (await student(feedback.own)).data
    expect(list.filter(({ content }) => content === '只报一次')).toHaveLength(1)
    // Keys are scoped to the account.
    const other = await staff(feedback.send, { body })
    expect(other.data.id).not.toBe(tries[0]?.data.id)
  })

  test('can withdraw feedback until it is answered', async () => {
    const { id } = await send(student)
    expect((await student(feedback.takeBack, { params: { id } })).status).toBe(200)
    expect((await readFeedback(student, id)).status).toBe(404)
    const { id: other } = await send(student)
    await answer(other)
    expect(await student(feedback.takeBack, { params: { id: other } })).toMatchObject({
      error: 'feedback.answered',
    })
  })

  test('gets an error for invalid fields', async () => {
    const wrong = (more: object) =>
      student(feedback.send, { body: { key: 'wrong-key', content: '内容', ...more } })
    expect((await wrong({ content: ' ' })).status).toBe(400)
    expect((await wrong({ content: '字'.repeat(maxContent + 1) })).status).toBe(400)
    expect(await wrong({ kindId: '9999' })).toMatchObject({ error: 'feedback.kind_not_found' })
    expect(await wrong({ serviceId: '9999' })).toMatchObject({
      error: 'feedback.service_not_found',
    })
    expect(await wrong({ photos: ['9999'] })).toMatchObject({ error: 'feedback.photo_not_found' })
    const ten = Array.from({ length: 10 }, (_, at) => String(at + 1))
    expect((await wrong({ photos: ten })).status).toBe(400)
  })

  test('can send at most ten feedbacks a day', async () => {
    for (let at = 0; at < 10; at++) await send(staff)
    expect(
      await staff(feedback.send, { body: { key: 'one-too-many', content: '第十一条' } }),
    ).toMatchObject({ status: 429, error: 'request.too_many' })
  })

  test('gets 403 if the institution has turned feedback off', async () => {
    const set = async (value: string) => {
      await db()
        .transaction()
        .execute((db) => updateSetting(db, 'isShowFeedback', value))
      await app.platform.topics.flushed()
    }
    await set('0')
    for (const refused of [
      await student(feedback.kinds),
      await student(feedback.own),
      await student(feedback.published),
      await student(feedback.send, { body: { key: 'turned-off', content: '内容' } }),
    ])
      expect(refused).toMatchObject({ status: 403, error: 'feedback.off' })
    await set('1')
    expect((await student(feedback.kinds)).data).toHaveLength(5)
    expect((await app.visitor(feedback.kinds)).status).toBe(401)
  })
})

describe('the feedback of another member', () => {
  test('returns 404 for every call', async () => {
    const { id } = await send(student)
    await answer(id)
    for (const refused of [
      await readFeedback(teacher, id),
      await teacher(feedback.write, { params: { id }, body: { text: '我也是' } }),
      await teacher(feedback.rate, { params: { id }, body: { score: 1 } }),
      await teacher(feedback.takeBack, { params: { id } }),
    ])
      expect(refused).toMatchObject({ status: 404, error: 'feedback.not_found' })
    expect((await student(feedbackConsole.list)).status).toBe(403)
  })
})

describe('photos', () => {
  const picture = () =>
    sharp({ create: { width: 60, height: 40, channels: 3, background: '#124' } })
      .withExif({ IFD0: { Copyright: 'somewhere' } })
      .jpeg()
      .toBuffer()
  const put = async (as: 'student' | 'staff', payload: Buffer, type = 'image/jpeg') =>
    app.app.inject({
      method: 'POST',
      url: feedbackPhotos.add.path,
      payload,
      headers: { 'content-type': type, 'x-id-token': await app.tokenOf(as) },
    })

  test('are re-encoded without metadata and usable only by their owner', async () => {
    const created = (await put('student', await picture())).json().data
    const { photos, id } = await send(student, { photos: [created.id] })
    expect(photos).toHaveLength(1)
    const { rawPayload } = await app.app.inject({ method: 'GET', url: photos[0]?.url ?? '' })
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined()
    expect((await received(id)).photos).toHaveLength(1)
    expect(
      await staff(feedback.send, {
        body: { key: 'not-my-photo', content: '别人的图', photos: [created.id] },
      }),
    ).toMatchObject({ error: 'feedback.photo_not_found' })
  })

  test('that are too large, unreadable or sent without a session are rejected', async () => {
    const large = await put('student', Buffer.alloc(maxPhotoBytes + 1))
    expect(large.statusCode).toBe(413)
    const none = await put('student', Buffer.from('<svg/>'))
    expect(none.json()).toMatchObject({ error: 'photo.unreadable' })
    const stranger = await app.app.inject({
      method: 'POST',
      url: feedbackPhotos.add.path,
      payload: await picture(),
      headers: { 'content-type': 'image/jpeg' },
    })
    expect(stranger.statusCode).toBe(401)
  })

  test('that no feedback uses are deleted after a day', async () => {
    const kept = await picture()
    const created = (await put('staff', kept)).json().data
    await sql`update feedback_upload set created_at = now() - interval '25 hours'`.execute(db())
    await clearPhotos(app.platform, feedbackPhotoTables)
    const { rows } = await sql<{ id: string }>`select id::text from feedback_upload`.execute(db())
    expect(rows.map(({ id }) => id)).not.toContain(created.id)
    expect(rows.length).toBeGreaterThan(0)
  })
})

describe('the department', () => {
  test('is chosen by the kind or the service; otherwise there is none', async () => {
    const { rows } = await sql<{ id: string; name: string }>`
      select service.id::text, organization.name from service join organization on organization.id = organization_id
      where service.name = '一卡通'`.execute(db())
    const service = rows[0]
    expect(await send(student, { kindId: '2', serviceId: service?.id })).toMatchObject({
      department: service?.name,
      serviceName: '一卡通',
    })
    // Other kinds keep their department.
    expect(await send(student, { kindId: '1', serviceId: service?.id })).toMatchObject({
      department: '信息化中心',
    })
    expect(await send(student, { kindId: '5' })).toMatchObject({ department: '' })
    expect(await send(student, { kindId: null, serviceId: service?.id })).toMatchObject({
      department: service?.name,
      kindName: '',
    })
  })

  test('limits what its operators see, and they can forward feedback to another one', async () => {
    const { id } = await send(student)
    const { id: other } = await send(student, { kindId: '1' })
    await operatorOf('teacher', 'O12')
    const params = { id }
    const seen = (await teacher(feedbackConsole.list)).data.list
    expect(seen.map((one) => one.id)).toContain(id)
    expect(seen.map((one) => one.id)).not.toContain(other)
    expect((await teacher(feedbackConsole.read, { params: { id: other } })).status).toBe(404)
    const revision = (await received(other)).revision
    for (const refused of [
      await teacher(feedbackConsole.answer, {
        params: { id: other },
        body: { revision, text: '越权' },
      }),
      await teacher(feedbackConsole.setState, {
        params: { id: other },
        body: { revision, state: 'closed' },
      }),
      await teacher(feedbackConsole.forward, {
        params: { id: other },
        body: { revision, organization: 'O12' },
      }),
      await teacher(feedbackConsole.merge, { params: { id: other }, body: { revision, into: id } }),
      await teacher(feedbackConsole.publish, {
        params: { id: other },
        body: { revision, published: true },
      }),
    ])
      expect(refused).toMatchObject({ status: 404, error: 'feedback.not_found' })
    const own = (await teacher(feedbackConsole.read, { params })).data
    expect(own.author).toMatchObject({
      name: '林知夏',
      accountName: 'student',
      organization: '计算机学院',
      organizationEn: 'School of Computer Science',
    })
    // Feedback cannot be merged into feedback the operator does not see.
    expect(
      await teacher(feedbackConsole.merge, {
        params,
        body: { revision: own.revision, into: other },
      }),
    ).toMatchObject({ error: 'feedback.merge_refused' })
    const handed = await teacher(feedbackConsole.forward, {
      params,
      body: { revision: own.revision, organization: 'O17' },
    })
    expect(handed.status).toBe(200)
    expect((await teacher(feedbackConsole.read, { params })).status).toBe(404)
    expect((await readFeedback(student, id)).data.department).toBe('信息化中心')
    await noOperator('teacher')
  })
})

describe('operators', () => {
  test('cannot change feedback with an outdated revision', async () => {
    const { id } = await send(student)
    const { revision } = await received(id)
    const body = { revision, state: 'handling' }
    expect((await admin(feedbackConsole.setState, { params: { id }, body })).data.state).toBe(
      'handling',
    )
    expect(await admin(feedbackConsole.setState, { params: { id }, body })).toMatchObject({
      error: 'feedback.changed_meanwhile',
    })
    expect((await student(feedback.takeBack, { params: { id } })).error).toBe('feedback.answered')
    const closed = await admin(feedbackConsole.setState, {
      params: { id },
      body: { revision: revision + 1, state: 'closed' },
    })
    expect(closed.data.state).toBe('closed')
    expect(
      await student(feedback.write, { params: { id }, body: { text: '还在吗' } }),
    ).toMatchObject({ error: 'feedback.closed' })
  })

  test('get counts that match their lists with the same filters', async () => {
    await send(student, { content: '计数一 kount' })
    const merged = await send(teacher, { content: '计数二 kount' })
    const into = await send(staff, { content: '计数三 kount' })
    await merge(merged.id, into.id)
    const [kind] = (await admin(feedbackConsole.kinds)).data
    for (const which of [
      {},
      { keyWords: 'kount' },
      { kindId: kind?.id ?? '' },
      { department: 'O17' },
      { department: 'O12', kindId: '3' },
      { serviceId: '35' },
    ]) {
      const counts = (await admin(feedbackConsole.counts, { query: which })).data
      for (const state of ['waiting', 'handling', 'answered', 'closed'] as const) {
        const { data } = await admin(feedbackConsole.list, {
          query: { ...which, state, pageSize: 200 },
        })
        expect(counts[state], `${state} ${JSON.stringify(which)}`).toBe(data.list.length)
      }
    }
    expect(
      (await admin(feedbackConsole.counts, { query: { keyWords: 'kount' } })).data.waiting,
    ).toBe(2)
    const none = await admin(feedbackConsole.counts, { query: { department: 'nowhere' } })
    expect(none).toMatchObject({ status: 404, error: 'workbench.department_not_found' })
    const places = (await admin(feedbackConsole.destinations)).data.map(({ code }) => code)
    expect(places).toEqual(expect.arrayContaining(['O03', 'O12', 'O17']))
    expect((await student(feedbackConsole.destinations)).status).toBe(403)
  })

  test('merge duplicates; every author gets the answer and nothing of the others', async () => {
    const first = await send(student, { content: '热水停了（一）', mayPublish: true })
    const second = await send(teacher, { content: '热水停了（二）' })
    const third = await send(staff, { content: '热水停了（三）' })
    expect((await merge(second.id, first.id)).data.mergedInto).toBe(first.id)
    expect(await merge(first.id, second.id)).toMatchObject({ error: 'feedback.merge_refused' })
    expect(await merge(third.id, second.id)).toMatchObject({ error: 'feedback.merge_refused' })
    expect((await received(first.id)).duplicates).toBe(1)
    const inbox = (await admin(feedbackConsole.list, { query: { keyWords: '热水停了' } })).data
    expect(inbox.list.map(({ id }) => id)).not.toContain(second.id)
    const same = await admin(feedbackConsole.list, { query: { mergedInto: first.id } })
    expect(same.data.list.map(({ id }) => id)).toEqual([second.id])
    await answer(first.id, '热水延长到十一点。')
    const read = (await readFeedback(teacher, second.id)).data
    expect(read).toMatchObject({ state: 'answered', lines: [{ text: '热水延长到十一点。' }] })
    expect(await messagesAbout(teacher, '热水停了（二）')).toHaveLength(1)
    // Feedback merged later gets the existing answer.
    await merge(third.id, first.id)
    expect((await readFeedback(staff, third.id)).data.lines).toMatchObject([
      { text: '热水延长到十一点。' },
    ])
    expect(await messagesAbout(staff, '热水停了（三）')).toHaveLength(1)
    // Once published, it shows the number of askers but not who they are.
    const { revision } = await received(first.id)
    await admin(feedbackConsole.publish, {
      params: { id: first.id },
      body: { revision, published: true },
    })
    const hot = (await staff(feedback.published, { query: { order: 'hot', pageSize: 50 } })).data
    const one = hot.list.find(({ id }) => id === first.id)
    expect(one).toMatchObject({ asked: 3, answer: '热水延长到十一点。' })
    expect(JSON.stringify(one)).not.toContain('林知夏')
    const counts = hot.list.map(({ asked }) => asked)
    expect(counts).toEqual(counts.toSorted((a, b) => b - a))
    // A further message ends the merge.
    await teacher(feedback.write, { params: { id: second.id }, body: { text: '我这栋还是没有' } })
    expect((await received(second.id)).mergedInto).toBeNull()
    expect((await merge(third.id, null)).data).toMatchObject({ mergedInto: null, state: 'waiting' })
  })

  test('merge a duplicate while its original is being answered; it gets the answer too', async () => {
    const [original, duplicate] = [await send(student), await send(teacher)]
    const operator = await accountId('admin')
    const { revision } = await received(original.id)
    const merged = await during(
      (db) =>
        answerFeedback(db, { id: original.id, revision, text: '已修复。', accountId: operator }),
      () => merge(duplicate.id, original.id),
    )
    expect(merged.data).toMatchObject({ mergedInto: original.id, state: 'answered' })
    expect((await readFeedback(teacher, duplicate.id)).data.lines).toMatchObject([
      { text: '已修复。' },
    ])
  })

  test('cannot merge two feedbacks into each other concurrently', async () => {
    const [first, second] = [await send(student), await send(teacher)]
    const refused = await during(
      (db) =>
        sql`update feedback set merged_into_id = ${second.id}, revision = revision + 1 where id = ${first.id}`.execute(
          db,
        ),
      () => merge(second.id, first.id),
    )
    expect(refused).toMatchObject({ error: 'feedback.merge_refused' })
    expect((await received(second.id)).mergedInto).toBeNull()
    const [third, fourth] = [await send(student), await send(teacher)]
    const answers = await Promise.all([merge(third.id, fourth.id), merge(fourth.id, third.id)])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ error }) => error === 'feedback.merge_refused')).toHaveLength(1)
  })

  test('cannot publish feedback that is not answered or whose author did not agree', async () => {
    const publish = async (id: string) => {
      const { revision } = await received(id)
      return admin(feedbackConsole.publish, { params: { id }, body: { revision, published: true } })
    }
    const secret = await send(student)
    const agreed = await send(student, { mayPublish: true })
    for (const { id } of [secret, agreed])
      expect((await publish(id)).error).toBe('feedback.not_publishable')
    for (const { id } of [secret, agreed]) await answer(id)
    expect((await publish(secret.id)).error).toBe('feedback.not_publishable')
    expect((await publish(agreed.id)).status).toBe(200)
    const { list } = (await staff(feedback.published, { query: { pageSize: 50 } })).data
    const ids = list.map(({ id }) => id)
    expect(ids).toContain(agreed.id)
    expect(ids).not.toContain(secret.id)
  })

  test('publish feedback that is paginated without gaps or duplicates in both orders', async () => {
    for (const order of ['hot', 'newest']) {
      const all = (await student(feedback.published, { query: { order, pageSize: 50 } })).data.list
      const seen: string[] = []
      let cursor: string | null | undefined
      do {
        const { data } = await student(feedback.published, {
          query: { order, pageSize: 2, ...(cursor && { cursor }) },
        })
        seen.push(...data.list.map(({ id }) => id))
        cursor = data.nextCursor
      } while (cursor)
      expect(seen).toEqual(all.map(({ id }) => id))
    }
  })

  test('can reorder exactly the kinds they manage', async () => {
    const ids = (await admin(feedbackConsole.kinds)).data.map(({ id }) => id)
    const other = [...ids].reverse()
    const arranged = await admin(feedbackConsole.arrangeKinds, { body: { ids: other } })
    expect(arranged.data.map(({ id }) => id)).toEqual(other)
    expect((await student(feedback.kinds)).data[0]?.id).toBe(
      other.find((one) => arranged.data.find(({ id }) => id === one)?.online),
    )
    for (const wrong of [ids.slice(1), [...ids.slice(1), '999999']])
      expect((await admin(feedbackConsole.arrangeKinds, { body: { ids: wrong } })).error).toBe(
        'feedback.changed_meanwhile',
      )
    await operatorOf('staff', 'O12')
    expect((await staff(feedbackConsole.arrangeKinds, { body: { ids } })).error).toBe(
      'feedback.changed_meanwhile',
    )
    await noOperator('staff')
    expect((await student(feedbackConsole.arrangeKinds, { body: { ids } })).status).toBe(403)
    await admin(feedbackConsole.arrangeKinds, { body: { ids } })
  })

  test('create, disable and remove kinds; a kind in use cannot be removed', async () => {
    const body = { name: '实验室安全', nameEn: 'Laboratory safety', organization: 'O13' }
    const { data } = await admin(feedbackConsole.createKind, { body })
    const params = { id: data.id }
    expect((await student(feedback.kinds)).data.map(({ name }) => name)).toContain('实验室安全')
    const { id } = await send(student, { kindId: data.id })
    expect(await admin(feedbackConsole.removeKind, { params })).toMatchObject({
      error: 'feedback.kind_in_use',
    })
    const off = { ...body, revision: data.revision, online: false }
    expect((await admin(feedbackConsole.updateKind, { params, body: off })).data.online).toBe(false)
    expect(await admin(feedbackConsole.updateKind, { params, body: off })).toMatchObject({
      error: 'feedback.changed_meanwhile',
    })
    expect((await student(feedback.kinds)).data.map(({ name }) => name)).not.toContain('实验室安全')
    await operatorOf('staff', 'O12')
    expect((await staff(feedbackConsole.updateKind, { params, body: off })).status).toBe(404)
    expect((await staff(feedbackConsole.createKind, { body })).fields).toHaveProperty(
      'organization',
    )
    await noOperator('staff')
    await student(feedback.takeBack, { params: { id } })
    expect((await admin(feedbackConsole.removeKind, { params })).status).toBe(200)
  })

  test('export the feedback of their department with formulas escaped', async () => {
    const { id } = await send(student, { content: '=HYPERLINK("http://x")', place: '@SUM(1)' })
    await send(student, { kindId: '1', content: '别的部门的' })
    await operatorOf('teacher', 'O12')
    const { raw, headers } = await teacher(feedbackConsole.export, { body: {} })
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(raw.startsWith('\uFEFF编号 No.')).toBe(true)
    expect(raw).toContain(`"'=HYPERLINK(""http://x"")"`)
    expect(raw).toContain(`'@SUM(1)`)
    expect(raw).toContain(`\r\n${id},`)
    expect(raw).not.toContain('别的部门的')
    expect((await staff(feedbackConsole.export, { body: {} })).status).toBe(403)
    await noOperator('teacher')
  })

  test('see answered feedback closed after two weeks', async () => {
    const { id } = await send(student)
    await answer(id)
    await closeAnswered(db())
    expect((await readFeedback(student, id)).data.state).toBe('answered')
    await sql`update feedback set answered_at = now() - interval '15 days' where id = ${id}`.execute(
      db(),
    )
    await closeAnswered(db())
    expect((await readFeedback(student, id)).data.state).toBe('closed')
  })
})
