import { audit } from '@atrium/contract/identity/operators.operator'
import { events } from '@atrium/contract/member/events'
import { personal } from '@atrium/contract/member/personal'
import { closings, privacy } from '@atrium/contract/member/privacy'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { services } from '@atrium/contract/services/services'
import { settings } from '@atrium/contract/shell/config.operator'
import { messages } from '@atrium/contract/work/messages'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findAccountByUsername } from '#domains/identity/identity/queries.ts'
import { insertGrants } from '#domains/identity/operators/queries.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { closeAccounts } from './close-accounts.ts'
import { buildExports, clearExports } from './export.ts'
import { personalPage } from './export-page.ts'
import { acceptsMessagesFrom, visibleFields } from './settings.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  admin = await app.as('admin')
})
const account = async (username: string) => {
  const found = await findAccountByUsername(app.platform.db, username)
  if (!found) throw new Error(`no ${username}`)
  return found
}
const confirmedAgo = (minutes: number) =>
  sql`update session set confirmed_at = now() - make_interval(mins => ${minutes})`.execute(
    app.platform.db,
  )
const find = async (call: Caller, q: string) =>
  (await call(privacy.findMembers, { query: { q } })).data

describe('settings', () => {
  test('have the institution’s defaults until the member changes them one by one', async () => {
    expect((await student(privacy.read)).data).toEqual({
      mobile: 'nobody',
      email: 'organization',
      portrait: 'everybody',
      useRecorded: true,
      lettersAllowed: true,
      listed: true,
    })
    expect((await student(privacy.update, { body: { mobile: 'everybody' } })).data.mobile).toBe(
      'everybody',
    )
    await admin(settings.update, { params: { key: 'privacyEmail' }, body: { value: 'nobody' } })
    expect((await student(privacy.read)).data).toMatchObject({
      mobile: 'everybody',
      email: 'nobody',
    })
    expect((await teacher(privacy.read)).data).toMatchObject({ mobile: 'organization' })
    expect((await app.visitor(privacy.read)).status).toBe(401)
    expect((await student(privacy.update, { body: { mobile: 'friends' } })).status).toBe(400)
    expect((await student(privacy.update, { body: {} })).status).toBe(200)
  })

  test('determine which fields each viewer may see', async () => {
    const { platform } = app
    const viewerOf = async (username: 'student' | 'teacher' | 'staff') =>
      platform.guard.viewerOf(await app.tokenOf(username))
    const { id } = await account('student')
    await student(privacy.update, {
      body: { mobile: 'organization', email: 'nobody', portrait: 'everybody' },
    })
    const seenBy = async (viewer: Awaited<ReturnType<typeof viewerOf>>) =>
      (await visibleFields(platform, viewer, [id])).get(id)
    expect(await seenBy(await viewerOf('teacher'))).toEqual({
      mobile: true,
      email: false,
      portrait: true,
    })
    expect(await seenBy(await viewerOf('staff'))).toMatchObject({ mobile: false, portrait: true })
    expect(await seenBy(await viewerOf('student'))).toMatchObject({ mobile: true, email: true })
    expect(await seenBy(await platform.guard.viewerOf(undefined))).toEqual({
      mobile: false,
      email: false,
      portrait: false,
    })
    expect((await visibleFields(platform, await viewerOf('staff'), ['999999'])).size).toBe(0)
  })

  test('that refuse recording prevent storing the member’s events and service uses', async () => {
    const { db } = app.platform
    const { id } = await account('teacher')
    const record = { eventCode: 'visitPortal', eventEnvOperationTime: localNow() }
    const [service] = (await teacher(services.list)).data.list
    const launch = () => teacher(serviceOpening.launch, { body: { serviceId: service?.serviceId } })
    await db.deleteFrom('service_use').where('account_id', '=', id).execute()
    await teacher(privacy.update, { body: { useRecorded: false } })
    expect((await launch()).status).toBe(200)
    expect((await teacher(events.record, { body: record })).data.accepted).toBe(1)
    const kept = async () => ({
      events: (
        await db.selectFrom('user_event').select('event_id').where('account_id', '=', id).execute()
      ).length,
      uses: (
        await db
          .selectFrom('service_use')
          .select('service_id')
          .where('account_id', '=', id)
          .execute()
      ).length,
    })
    expect(await kept()).toEqual({ events: 0, uses: 0 })
    await teacher(privacy.update, { body: { useRecorded: true } })
    await launch()
    await teacher(events.record, { body: record })
    expect(await kept()).toEqual({ events: 1, uses: 1 })
  })
})

describe('the block list', () => {
  test('blocks a member who was found and unblocks them', async () => {
    const [hit] = await find(student, '周明远')
    expect(hit).toMatchObject({ name: '周明远', blocked: false })
    for (const _ of [1, 2])
      expect((await student(privacy.block, { body: { member: hit?.member } })).status).toBe(200)
    const { data } = await student(privacy.blackList)
    expect(data[0]).toMatchObject({ name: '周明远', organizationName: '计算机学院' })
    expect(await find(student, 'teacher')).toMatchObject([{ blocked: true }])
    expect((await teacher(privacy.blackList)).data).toEqual([])

    const ids = [(await account('student')).id, (await account('teacher')).id] as const
    expect(await acceptsMessagesFrom(app.platform, ids[0], ids[1])).toBe(false)
    expect(await acceptsMessagesFrom(app.platform, ids[1], ids[0])).toBe(true)
    const params = { accountId: data[0]?.accountId }
    expect(await teacher(privacy.unblock, { params })).toMatchObject({
      status: 404,
      error: 'privacy.member_not_found',
    })
    expect((await student(privacy.unblock, { params })).status).toBe(200)
    expect(await acceptsMessagesFrom(app.platform, ids[0], ids[1])).toBe(true)
    await student(privacy.update, { body: { lettersAllowed: false } })
    expect(await acceptsMessagesFrom(app.platform, ids[0], ids[1])).toBe(false)
  })

  test('rejects an account id without its signature and a signature for another member', async () => {
    const [hit] = await find(student, '周明远')
    const { id } = await account('staff')
    for (const member of [
      id,
      `${id}.`,
      `${id}.AAAA`,
      '',
      '.',
      '1.2.3',
      `${id}.${hit?.member.split('.')[1]}`,
    ])
      expect(await student(privacy.block, { body: { member } })).toMatchObject({
        status: 404,
        error: 'privacy.member_not_found',
      })
    expect((await teacher(privacy.block, { body: { member: hit?.member } })).status).toBe(404)
  })

  test('finds few members and nobody by wildcards, username prefixes or single letters', async () => {
    expect((await find(student, '林知夏')).length).toBe(0) // the caller is excluded
    expect((await find(student, 'zhou mingyuan'))[0]).toMatchObject({ nameEn: 'Zhou Mingyuan' })
    expect((await find(student, 'zh')).length).toBeLessThanOrEqual(10)
    for (const q of ['%%', '__', 'teach', '\\\\', "' or 1=1 --"])
      expect(await find(student, q)).toEqual([])
    for (const q of ['周', '周 ', '', 'x'.repeat(51)])
      expect((await student(privacy.findMembers, { query: { q } })).status).toBe(400)
    expect(Object.keys((await find(student, 'teacher'))[0] ?? {}).sort()).toEqual([
      'blocked',
      'member',
      'name',
      'nameEn',
      'organizationName',
      'organizationNameEn',
      'portraitUrl',
    ])
  })

  test('allows at most 30 searches per minute', async () => {
    const staff = await app.as('staff')
    const answers = await Promise.all(
      Array.from({ length: 35 }, () => staff(privacy.findMembers, { query: { q: 'teacher' } })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers['retry-after']).toBe('60')
  })

  test('is limited in size, also under concurrent calls', async () => {
    const { db, secret } = app.platform
    const own = (await account('admin')).id
    const others = await db
      .selectFrom('account')
      .select('id')
      .where('id', '<>', own)
      .orderBy('id')
      .limit(205)
      .execute()
    await db
      .insertInto('member_block')
      .values(others.slice(0, 198).map(({ id }) => ({ account_id: own, blocked_account_id: id })))
      .execute()
    const answers = await Promise.all(
      others.slice(198).map(({ id }) =>
        admin(privacy.block, {
          body: { member: `${id}.${secret.sign('found-member', `${own} ${id}`)}` },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
    expect(answers.find(({ status }) => status !== 200)).toMatchObject({
      error: 'privacy.blocked_too_many',
    })
  })
})

describe('the export', () => {
  beforeEach(() => confirmedAgo(0))

  test('requires a recent confirmation and can be requested once an hour, also concurrently', async () => {
    await confirmedAgo(11)
    expect(await student(privacy.requestExport)).toMatchObject({
      status: 403,
      error: 'session.confirmation_due',
    })
    await confirmedAgo(0)
    expect((await student(privacy.exportState)).data.status).toBe('none')
    const two = await Promise.all([student(privacy.requestExport), student(privacy.requestExport)])
    expect(two.map(({ status }) => status).sort()).toEqual([200, 429])
    const late = two.find(({ status }) => status === 429)
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(3500)
    expect((await student(privacy.exportState)).data).toMatchObject({ status: 'waiting' })
    expect(await student(privacy.downloadExport)).toMatchObject({
      error: 'privacy.export_not_ready',
    })
  })

  test('contains only the member’s own data, is announced by a message and expires', async () => {
    await buildExports(app.platform)
    expect((await student(privacy.exportState)).data).toMatchObject({ status: 'ready' })
    expect((await teacher(privacy.downloadExport)).error).toBe('privacy.export_not_ready')
    const { data } = await student(privacy.downloadExport)
    const file = await app.app.inject(data.url)
    expect(file.headers['content-type']).toContain('application/zip')
    const unsigned = data.url.split('?')[0] ?? ''
    expect((await app.app.inject(unsigned)).statusCode).toBe(404)
    expect((await app.app.inject(data.url.replace(/.$/, '!'))).statusCode).toBe(404)
    const parts = unzipSync(new Uint8Array(file.rawPayload))
    const told = JSON.parse(strFromU8(parts['data.json'] as Uint8Array))
    expect(told.person).toMatchObject([{ name: '林知夏', mobile: '13800000001' }])
    expect(told.account).toMatchObject([{ username: 'student' }])
    for (const table of [
      'session',
      'authentication_log',
      'message_delivery',
      'task',
      'service_favourite',
    ])
      expect(told[table].length, table).toBeGreaterThan(0)
    const text = strFromU8(parts['data.json'] as Uint8Array)
    expect(text).not.toMatch(/argon2|password_hash|secret_hash|13800000002/)
    const page = strFromU8(parts['index.html'] as Uint8Array)
    expect(page).toContain('林知夏')
    expect(page).not.toContain('<script')
    const message = (await student(messages.list)).data.list[0]
    expect(JSON.stringify(message)).toContain('个人信息')

    const { db } = app.platform
    await sql`update personal_export set expires_at = now() - interval '1 second'`.execute(db)
    expect((await student(privacy.exportState)).data.status).toBe('gone')
    expect((await student(privacy.downloadExport)).status).toBe(404)
    await clearExports(app.platform)
    expect((await app.app.inject(data.url)).statusCode).toBe(404)
  })

  test('escapes all values in its HTML page', () => {
    const page = personalPage(
      [
        {
          table: 'task',
          title: { zh: '事项', en: 'Tasks' },
          rows: [{ title: '<img src=x onerror=alert(1)>', 'a"b': { x: '</td>' } }],
        },
      ],
      { school: '<b>', at: new Date(0) },
    )
    expect(page).not.toMatch(/<img|<b>|"b"|: "<\/td>/)
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;')
  })
})

describe('closing an account', () => {
  beforeEach(() => confirmedAgo(0))

  test('requires a recent confirmation and the setting, and excludes operators', async () => {
    await confirmedAgo(11)
    expect((await student(privacy.requestClosing, { body: {} })).error).toBe(
      'session.confirmation_due',
    )
    await confirmedAgo(0)
    expect((await admin(privacy.requestClosing, { body: {} })).error).toBe(
      'privacy.closing_operator',
    )
    await admin(settings.update, { params: { key: 'accountClosing' }, body: { value: '0' } })
    expect((await student(privacy.requestClosing, { body: {} })).error).toBe('privacy.closing_off')
    await admin(settings.update, { params: { key: 'accountClosing' }, body: { value: '1' } })
    const two = await Promise.all([
      student(privacy.requestClosing, { body: { reason: '毕业' } }),
      student(privacy.requestClosing, { body: {} }),
    ])
    expect(two.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await student(privacy.closingState)).data).toMatchObject({
      status: 'waiting',
      days: 7,
      accounts: ['student'],
    })
    expect((await teacher(privacy.withdrawClosing)).error).toBe('privacy.closing_not_found')
    expect((await student(privacy.withdrawClosing)).data.status).toBe('none')
    expect((await student(privacy.withdrawClosing)).status).toBe(404)
  })

  test('is refused only by an operator of the department, with a reason', async () => {
    const { db, topics } = app.platform
    await student(privacy.requestClosing, { body: { reason: '<b>' } })
    const [request] = (await admin(closings.list)).data
    expect(request).toMatchObject({ username: 'student', status: 'waiting', reason: '<b>' })
    const params = { id: request?.id }
    const staff = await app.as('staff')
    const refuse = (call: Caller) =>
      call(closings.refuse, { params, body: { answer: '在读期间需保留<i>' } })
    expect((await refuse(staff)).status).toBe(403)
    const elsewhere = await db
      .selectFrom('organization')
      .select('id')
      .where('code', '=', 'EE')
      .executeTakeFirstOrThrow()
    await insertGrants(db, (await account('staff')).id, ['identity'], elsewhere.id)
    await topics.flushed()
    expect((await staff(closings.list)).data).toEqual([])
    expect((await refuse(staff)).error).toBe('privacy.closing_not_found')
    expect((await refuse(admin)).status).toBe(200)
    expect((await refuse(admin)).status).toBe(404)
    expect((await student(privacy.closingState)).data).toMatchObject({
      status: 'refused',
      answer: '在读期间需保留<i>',
    })
  })

  test('on the due date ends the sessions, deletes personal data and keeps tasks', async () => {
    const { db } = app.platform
    const { id, personId } = await account('teacher')
    await teacher(privacy.requestClosing, { body: {} })
    await closeAccounts(app.platform)
    expect((await teacher(personal.me)).status).toBe(200)
    const tasks = async () =>
      (await db.selectFrom('task_step').select('id').where('account_id', '=', id).execute()).length
    const before = await tasks()
    expect(before).toBeGreaterThan(0)
    await sql`update account_closing set due_at = now() where status = 'waiting'`.execute(db)
    await Promise.all([closeAccounts(app.platform), closeAccounts(app.platform)])
    await app.platform.topics.flushed()
    expect((await teacher(personal.me)).error).toBe('session.expired')
    expect(await findAccountByUsername(db, 'teacher')).toBeUndefined()
    expect(
      await db.selectFrom('person').selectAll().where('id', '=', personId).executeTakeFirst(),
    ).toMatchObject({
      name: '已注销用户',
      mobile: '',
      email: '',
      password_hash: null,
      external_key: null,
    })
    for (const table of ['session', 'message_delivery', 'service_use', 'personal_card'] as const)
      expect(
        await db.selectFrom(table).selectAll().where('account_id', '=', id).execute(),
        table,
      ).toEqual([])
    expect(await tasks()).toBe(before)
    const { list } = (await admin(audit.list, { query: { action: 'close account' } })).data
    const own = list.filter(({ details }) => JSON.stringify(details).includes('teacher'))
    expect(own).toMatchObject([{ channel: 'job', outcome: 'ok' }])
    expect((await admin(closings.list)).data[0]).toMatchObject({ status: 'done' })
  })

  test('that fails for one person does not block the others and is retried', async () => {
    const { db } = app.platform
    const { rows } = await sql<{ id: string }>`
      with people as (insert into person (name) values ('甲'), ('乙') returning id),
      accounts as (
        insert into account (person_id, username, identity_type_code, organization_id, status)
        select people.id, 'closing-' || people.id, 'S01', (select min(id) from organization), 'active' from people
        returning id, person_id)
      insert into account_closing (person_id, account_id, due_at)
      select person_id, id, now() from accounts order by id returning id`.execute(db)
    const [first, second] = rows.map(({ id }) => id) as [string, string]
    const statuses = async () =>
      (
        await db
          .selectFrom('account_closing')
          .select('status')
          .where('id', 'in', [first, second])
          .orderBy('id')
          .execute()
      ).map(({ status }) => status)
    await sql`
      create function refuse_closing() returns trigger language plpgsql as
        $$ begin raise exception 'refused by a test'; end $$`.execute(db)
    await sql`
      create trigger refuse_closing before update on account_closing for each row
        when (old.id = ${sql.lit(first)}) execute function refuse_closing()`.execute(db)
    await closeAccounts(app.platform)
    expect(await statuses()).toEqual(['waiting', 'done'])
    await sql`drop function refuse_closing() cascade`.execute(db)
    await closeAccounts(app.platform)
    expect(await statuses()).toEqual(['done', 'done'])
  })
})

function localNow() {
  return new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
}
