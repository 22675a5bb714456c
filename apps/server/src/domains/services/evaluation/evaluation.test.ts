import { evaluation, evaluationPhotos, evaluations } from '@atrium/contract/services/evaluation'
import { services } from '@atrium/contract/services/services'
import { sql } from 'kysely'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { clearPhotos } from '#domains/content/images/photos.ts'
import { invalidate } from '#platform/database/topics.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { opinionPhotos } from './photos.ts'

let app: TestApp
let student: Caller
let teacher: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
})

const serviceId = async (name: string) =>
  (
    await app.platform.db
      .selectFrom('service')
      .select(['id', 'service_no'])
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).id
const codeOf = async (name: string) =>
  (
    await app.platform.db
      .selectFrom('service')
      .select('service_no')
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
  ).service_no

async function setMode(value: string) {
  const { db, topics } = app.platform
  await db.transaction().execute(async (db) => {
    await db
      .updateTable('config_value')
      .set({ value })
      .where('key', '=', 'enableServiceEvaluate')
      .execute()
    await invalidate(db, 'config')
  })
  await topics.flushed()
}

const scores = ['ease', 'speed', 'clarity', 'help'].map((code) => ({ code, stars: 4 }))
const save = (caller: Caller, body: object) =>
  caller(evaluation.save, { body: { scores, ...body } })

describe('a rating', () => {
  test('is saved once after a recorded use, even when sent concurrently, and can be changed', async () => {
    const id = await serviceId('空闲教室')
    const before = (await student(evaluation.mine, { query: { serviceId: id } })).data
    expect(before).toMatchObject({ used: true, evaluation: null, object: { mode: 'detailed' } })
    expect(before.object.standards.map(({ code }) => code)).toEqual(scores.map(({ code }) => code))
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map((stars) => save(student, { serviceId: id, stars, comment: 'a' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const { rows } = await sql<{ count: number }>`
      select count(*)::integer as count from evaluation e join account a on a.id = e.account_id
      where a.username = 'student' and e.service_id = ${id}`.execute(app.platform.db)
    expect(rows).toEqual([{ count: 1 }])
    const comment = ' <script>alert(1)</script> 很好 '
    const saved = await save(student, { serviceId: id, stars: 2, comment })
    expect(saved.data).toMatchObject({ stars: 2, comment: comment.trim(), scores })
    expect((await student(evaluation.mine, { query: { serviceId: id } })).data.evaluation).toEqual(
      saved.data,
    )
  })

  test('of a service the member has not used is rejected with the reason', async () => {
    const id = await serviceId('校园云盘')
    expect((await student(evaluation.mine, { query: { serviceId: id } })).data.used).toBe(false)
    const refused = await save(student, { serviceId: id, stars: 5 })
    expect(refused).toMatchObject({ status: 403, error: 'evaluation.not_used' })
    expect(JSON.parse(refused.raw).message).toContain('使用过')
    await student(services.recordUse, { body: { serviceId: id } })
    expect((await save(student, { serviceId: id, stars: 5 })).status).toBe(200)
  })

  test('of a hidden or missing service is not found, and visitors are rejected', async () => {
    for (const id of [await serviceId('工资查询'), '99999'])
      expect(await save(student, { serviceId: id, stars: 5 })).toMatchObject({
        status: 404,
        error: 'service.not_found',
      })
    expect((await save(app.visitor, { serviceId: '1', stars: 5 })).status).toBe(401)
    const hidden = await codeOf('工资查询')
    for (const endpoint of [evaluation.score, evaluation.list, evaluation.standardAverage])
      expect((await student(endpoint, { query: { code: hidden } })).status).toBe(404)
    expect((await student(evaluation.object, { params: { code: hidden } })).status).toBe(404)
  })

  test.each([
    { stars: 0 },
    { stars: 6 },
    { stars: 3, comment: 'x'.repeat(141) },
    { stars: 3, photos: Array.from({ length: 10 }, (_, at) => String(at + 1)) },
    { stars: 3, photos: ['1', '1'] },
    { stars: 3, scores: [{ code: 'ease', stars: 3 }] },
  ])('with %j is rejected', async (body) => {
    expect((await save(student, { serviceId: await serviceId('一卡通'), ...body })).status).toBe(
      400,
    )
  })

  test('can be deleted by its author only', async () => {
    const id = await serviceId('一卡通')
    const { data } = await save(student, { serviceId: id, stars: 4 })
    const remove = (caller: Caller) => caller(evaluation.remove, { params: { id: data.id } })
    expect(await remove(teacher)).toMatchObject({ status: 404, error: 'evaluation.not_found' })
    expect((await remove(student)).status).toBe(200)
    expect(await remove(student)).toMatchObject({ status: 404, error: 'evaluation.not_found' })
  })

  test('needs no standard scores in simple mode, and is rejected while ratings are off', async () => {
    const id = await serviceId('校车')
    await setMode('3')
    expect((await student(evaluation.save, { body: { serviceId: id, stars: 4 } })).status).toBe(200)
    await setMode('0')
    expect(await save(student, { serviceId: id, stars: 4 })).toMatchObject({
      status: 403,
      error: 'evaluation.off',
    })
    const code = await codeOf('校车')
    expect((await student(evaluation.score, { query: { code } })).data).toMatchObject({
      mode: 'off',
      average: null,
    })
    expect((await student(evaluation.list, { query: { code } })).data.list).toEqual([])
    await setMode('2')
  })
})

describe('readers', () => {
  test('see averages and ratings without their author, page by page', async () => {
    const code = await codeOf('座位预约')
    const score = (await student(evaluation.score, { query: { code } })).data
    expect(score).toMatchObject({ average: expect.any(Number), count: 31 })
    const standards = (await student(evaluation.standardAverage, { query: { code } })).data
    expect(standards).toHaveLength(4)
    expect(standards[0]).toMatchObject({ code: 'ease', average: expect.any(Number), count: 31 })
    const first = (await student(evaluation.list, { query: { code, pageSize: 20 } })).data
    const rest = (
      await student(evaluation.list, { query: { code, pageSize: 20, cursor: first.nextCursor } })
    ).data
    expect(first.total).toBe(31)
    expect(new Set([...first.list, ...rest.list].map(({ id }) => id)).size).toBe(31)
    expect(Object.keys(first.list[0] as object).sort()).toEqual([
      'comment',
      'day',
      'id',
      'photos',
      'reply',
      'stars',
    ])
    expect(first.list[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect((await app.visitor(evaluation.score, { query: { code } })).status).toBe(404)
    const open = await codeOf('馆藏查询')
    expect((await app.visitor(evaluation.score, { query: { code: open } })).data.count).toBe(14)
  })

  test('see no ratings of a service that has fewer than five', async () => {
    const code = await codeOf('会议预约')
    const id = await serviceId('会议预约')
    const { db } = app.platform
    await sql`delete from evaluation where service_id = ${id} and id not in (
      select id from evaluation where service_id = ${id} order by id limit 4)`.execute(db)
    const read = async () => [
      (await teacher(evaluation.score, { query: { code } })).data,
      (await teacher(evaluation.list, { query: { code } })).data,
      (await teacher(evaluation.standardAverage, { query: { code } })).data[0],
    ]
    expect(await read()).toMatchObject([
      { average: null, count: null },
      { list: [], total: 0 },
      { average: null, count: null },
    ])
    expect((await save(teacher, { serviceId: id, stars: 5 })).status).toBe(200)
    expect(await read()).toMatchObject([{ count: 5 }, { total: 5 }, { count: 5 }])
  })

  test('can list the services they have used and may rate', async () => {
    const { data } = await student(evaluation.objects, { query: { pageSize: 100 } })
    expect(data.list).toContainEqual(expect.objectContaining({ name: '校车', stars: 4 }))
    expect(data.total).toBe(data.list.length)
    expect((await app.visitor(evaluation.objects)).status).toBe(401)
  })
})

describe('an operator of a service', () => {
  test('sees even few ratings and can reply; a member cannot', async () => {
    const code = await codeOf('空闲教室')
    const admin = await app.as('admin')
    const { list } = (await admin(evaluations.list, { query: { code } })).data
    expect(list.length).toBeGreaterThan(0)
    const reply = (caller: Caller, id = list[0]?.id) =>
      caller(evaluations.reply, { params: { id }, body: { reply: '<b>谢谢</b>' } })
    expect((await reply(student)).status).toBe(403)
    expect((await reply(admin, '999999')).error).toBe('evaluation.unknown')
    expect((await reply(admin)).status).toBe(200)
    expect((await admin(evaluations.list, { query: { code } })).data.list[0]?.reply).toBe(
      '<b>谢谢</b>',
    )
  })

  test('answers one text: a changed rating has no reply, waits again, and takes no reply to the former text', async () => {
    const [id, code] = [await serviceId('成绩查询'), await codeOf('成绩查询')]
    const admin = await app.as('admin')
    const mine = async () =>
      (await student(evaluation.mine, { query: { serviceId: id } })).data.evaluation
    const { data: first } = await save(student, { serviceId: id, stars: 3, comment: '时间不对' })
    const managed = async () =>
      (await admin(evaluations.list, { query: { code } })).data.list.find(
        (opinion) => opinion.id === first.id,
      )
    const waiting = async () => {
      let cursor: string | null = ''
      while (cursor !== null) {
        const query: object = { pageSize: 200, ...(cursor && { cursor }) }
        const { data } = await admin(evaluations.waiting, { query })
        const found = data.list.find((opinion) => opinion.id === first.id)
        if (found) return found
        cursor = data.nextCursor
      }
      return undefined
    }
    const reply = (etag: string | undefined, text = '您说得对') =>
      admin(evaluations.reply, { params: { id: first.id }, body: { reply: text, etag } })

    const etag = (await waiting())?.etag
    expect(etag).toBe((await managed())?.etag)
    expect((await reply(etag)).status).toBe(200)
    expect(await waiting()).toBeUndefined()
    // Saving the same text again keeps the reply.
    await save(student, { serviceId: id, stars: 3, comment: ' 时间不对 ' })
    expect(await mine()).toMatchObject({ reply: '您说得对', repliedAt: expect.any(String) })

    await save(student, { serviceId: id, stars: 3, comment: '骂人的话' })
    expect(await mine()).toMatchObject({ reply: '', repliedAt: null })
    expect(await waiting()).toMatchObject({ comment: '骂人的话', reply: '' })
    expect(await reply(etag)).toMatchObject({ status: 409, error: 'service.changed_meanwhile' })
    expect(await mine()).toMatchObject({ reply: '' })
    expect((await reply((await managed())?.etag, '请文明发言')).status).toBe(200)
    await save(student, { serviceId: id, stars: 1, comment: '骂人的话' })
    expect(await mine()).toMatchObject({ reply: '', repliedAt: null })
    await student(evaluation.remove, { params: { id: first.id } })
  })

  test('can hide a rating with a reason and restore it, and its stars still count', async () => {
    const [id, code] = [await serviceId('成绩查询'), await codeOf('成绩查询')]
    const admin = await app.as('admin')
    const comment = '骂人的话'
    const { data: own } = await save(student, { serviceId: id, stars: 1, comment })
    const read = async () => {
      const { list, total } = (await student(evaluation.list, { query: { code, pageSize: 200 } }))
        .data
      return { seen: list.some((opinion) => opinion.id === own.id), total }
    }
    const score = async () => (await student(evaluation.score, { query: { code } })).data
    const [before, counted] = [await read(), await score()]
    expect(before.seen).toBe(true)
    const params = { id: own.id }
    const hide = (caller: Caller, reason = '  含有辱骂内容 ', id = own.id) =>
      caller(evaluations.hide, { params: { id }, body: { reason } })
    expect((await hide(student)).status).toBe(403)
    expect((await app.visitor(evaluations.hide, { params, body: { reason: 'x' } })).status).toBe(
      401,
    )
    expect(await hide(admin, 'x', '999999')).toMatchObject({
      status: 404,
      error: 'evaluation.unknown',
    })
    expect((await hide(admin, '  ')).status).toBe(400)
    expect((await hide(admin)).status).toBe(200)

    expect(await read()).toEqual({ seen: false, total: before.total - 1 })
    expect(await score()).toEqual(counted)
    const mine = async () =>
      (await student(evaluation.mine, { query: { serviceId: id } })).data.evaluation
    expect(await mine()).toMatchObject({ comment, hiddenReason: '含有辱骂内容' })
    const managed = async () =>
      (await admin(evaluations.list, { query: { code } })).data.list.find(
        (opinion) => opinion.id === own.id,
      )
    expect(await managed()).toMatchObject({ hiddenReason: '含有辱骂内容', changedSince: false })
    // After an edit it stays hidden until an operator reviews it.
    await save(student, { serviceId: id, stars: 2, comment: '不好用' })
    expect((await read()).seen).toBe(false)
    expect(await managed()).toMatchObject({ comment: '不好用', changedSince: true })

    expect((await student(evaluations.restore, { params })).status).toBe(403)
    expect((await admin(evaluations.restore, { params })).status).toBe(200)
    expect(await read()).toEqual(before)
    expect(await mine()).toMatchObject({ hiddenReason: '' })
    expect(await managed()).toMatchObject({ hiddenAt: null, changedSince: false })
    const { rows } = await sql<{ action: string; details: string }>`
      select action, details::text as details from audit_entry where action like '%/hidden' and outcome = 'ok'
      order by id`.execute(app.platform.db)
    expect(rows.map(({ action }) => action.split(' ')[0])).toEqual(['PUT', 'DELETE'])
    expect(rows[0]?.details).toContain('含有辱骂内容')
  })

  test('of a department sees only its own services and cannot hide their ratings', async () => {
    const { db, topics } = app.platform
    await db.transaction().execute(async (db) => {
      await sql`insert into operator_grant (account_id, permission, organization_id, granted_at)
        select a.id, 'services', o.id, now() from account a, organization o
        where a.username = 'staff' and o.code = 'O12'`.execute(db)
      await invalidate(db, 'directory')
    })
    await topics.flushed()
    const staff = await app.as('staff')
    const own = await staff(evaluations.list, { query: { code: await codeOf('校车') } })
    expect(own.data.list.length).toBeGreaterThan(0)
    // The rated department does not choose what others read.
    const [opinion] = own.data.list
    expect(
      (
        await staff(evaluations.hide, {
          params: { id: opinion?.id },
          body: { reason: '不想让人看见' },
        })
      ).status,
    ).toBe(403)
    expect(
      await staff(evaluations.list, { query: { code: await codeOf('成绩查询') } }),
    ).toMatchObject({ status: 404, error: 'service.not_found' })
  })
})

describe('photos in ratings', () => {
  const picture = () =>
    sharp({ create: { width: 2400, height: 900, channels: 3, background: '#4477aa' } })
      .jpeg()
      .withExif({ IFD0: { Copyright: 'somebody' } })
      .toBuffer()
  const send = async (
    who: 'student' | 'teacher' | undefined,
    bytes: Buffer,
    type = 'image/jpeg',
  ) => {
    const response = await app.app.inject({
      method: 'POST',
      url: evaluationPhotos.add.path,
      payload: bytes,
      headers: { 'content-type': type, ...(who && { 'x-id-token': await app.tokenOf(who) }) },
    })
    return { status: response.statusCode, ...response.json() }
  }

  test('are re-encoded without metadata, made smaller, and require a signed address', async () => {
    const { data } = await send('student', await picture())
    expect((await app.app.inject(data.url.replace(/%3F.*/, ''))).statusCode).toBe(404)
    const id = await serviceId('成绩查询')
    const saved = await save(student, { serviceId: id, stars: 5, photos: [data.id] })
    expect(saved.data.photos).toHaveLength(1)
    const { rows } = await sql<{ sha256: string; is_public: boolean }>`
      select f.sha256, f.is_public from evaluation_upload u join file f on f.id = u.file_id where u.id = ${data.id}`.execute(
      app.platform.db,
    )
    expect(rows[0]?.is_public).toBe(false)
    const chunks: Buffer[] = []
    for await (const chunk of app.platform.files.read(rows[0]?.sha256 as string))
      chunks.push(chunk as Buffer)
    const about = await sharp(Buffer.concat(chunks)).metadata()
    expect(about).toMatchObject({ format: 'webp', width: 1600, height: 600 })
    expect(about.exif).toBeUndefined()
    // Omitted: unchanged. Empty: deleted.
    expect((await save(student, { serviceId: id, stars: 4 })).data.photos).toHaveLength(1)
    expect((await save(student, { serviceId: id, stars: 4, photos: [] })).data.photos).toEqual([])
  })

  test('of another member cannot be used', async () => {
    const { data } = await send('teacher', await picture())
    const id = await serviceId('成绩查询')
    for (const photo of [data.id, '99999'])
      expect(await save(student, { serviceId: id, stars: 5, photos: [photo] })).toMatchObject({
        status: 404,
        error: 'file.not_found',
      })
  })

  test('must be pictures from members and within the size limit', async () => {
    expect((await send(undefined, await picture())).status).toBe(401)
    expect(
      await send('student', Buffer.from('<svg onload="alert(1)"/>'), 'image/png'),
    ).toMatchObject({
      code: 415,
      error: 'photo.unreadable',
    })
    expect((await send('student', Buffer.alloc(11 * 1024 * 1024))).error).toBe('request.too_large')
    expect((await student(evaluationPhotos.add, { body: { a: 1 } })).status).toBe(415)
  })

  test('that no rating uses are deleted after a day', async () => {
    const { db } = app.platform
    const { data } = await send('student', await picture())
    await sql`update evaluation_upload set created_at = now() - interval '2 days'`.execute(db)
    const shown = await save(student, {
      serviceId: await serviceId('请假'),
      stars: 5,
      photos: [
        (
          await send(
            'student',
            await sharp(await picture())
              .negate()
              .toBuffer(),
          )
        ).data.id,
      ],
    })
    await clearPhotos(app.platform, opinionPhotos)
    const left = await db.selectFrom('evaluation_upload').select('id').execute()
    expect(left.map(({ id }) => id)).toEqual(shown.data.photos.map(({ id }) => id))
    expect((await app.app.inject(data.url)).statusCode).toBe(404)
  })
})
