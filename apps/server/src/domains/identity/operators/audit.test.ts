import { audit, operators } from '@atrium/contract/identity/operators.operator'
import { settings } from '@atrium/contract/shell/config.operator'
import { slides } from '@atrium/contract/shell/launch.operator'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { redacted, writeCheckpoint } from '#platform/audit.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  admin = await app.as('admin')
})
const newest = async () => (await admin(audit.list, { query: { pageSize: 1 } })).data.list[0]

describe('an audit entry', () => {
  test('records the operator, address, action, details and outcome', async () => {
    await admin(settings.update, { params: { key: 'schoolName' }, body: { value: '江岚' } })
    expect(await newest()).toMatchObject({
      channel: 'api',
      operator: 'admin',
      operatorName: '赵启航',
      address: '127.0.0.1',
      action: 'PUT /console-api/v1/settings/{key}',
      details: { params: { key: 'schoolName' }, body: { value: '江岚' } },
      outcome: 'ok',
      requestId: expect.stringMatching(/.{8}/),
    })
  })

  test('is written for a failed action, but not for reads and unauthorized callers', async () => {
    const before = await newest()
    await admin(settings.update, { params: { key: 'noSuchKey' }, body: { value: '1' } })
    const refused = await newest()
    expect(refused).toMatchObject({ outcome: 'config.key_unknown' })
    await admin(settings.list)
    await (await app.as('student'))(settings.update, {
      params: { key: 'schoolName' },
      body: { value: 'x' },
    })
    await app.visitor(settings.update, { params: { key: 'schoolName' }, body: { value: 'x' } })
    expect((await newest())?.id).toBe(refused?.id)
    expect(Number(refused?.id)).toBe(Number(before?.id) + 1)
  })

  test('rolls its action back if it cannot be written', async () => {
    const { db } = app.platform
    await sql`create function refuse_entry() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
      db,
    )
    await sql`create trigger refuse_entry before insert on audit_entry for each row execute function refuse_entry()`.execute(
      db,
    )
    const answer = await admin(settings.update, {
      params: { key: 'schoolName' },
      body: { value: 'unheard of' },
    })
    await sql`drop function refuse_entry() cascade`.execute(db)
    expect(answer.status).toBe(500)
    const { data } = await admin(settings.list)
    expect(data.find(({ key }) => key === 'schoolName')?.value).not.toBe('unheard of')
  })

  test('contains no secrets, no unknown fields and only truncated text', () => {
    const schema = {
      properties: {
        username: {},
        newPassword: { format: 'password' },
        apiToken: {},
        text: {},
        list: { items: { properties: { secret: { format: 'password' }, name: {} } } },
      },
    }
    expect(
      redacted(
        schema,
        {
          username: 'a',
          newPassword: 'p',
          apiToken: 't',
          text: 'x'.repeat(5000),
          list: [{ secret: 's', name: 'n', other: 1 }],
          unknown: 'u',
        },
        '',
      ),
    ).toEqual({
      username: 'a',
      newPassword: '***',
      apiToken: '***',
      text: `${'x'.repeat(2000)}… (5000)`,
      list: [{ secret: '***', name: 'n' }],
    })
  })

  test('accepts any characters', async () => {
    await admin(operators.grant, {
      body: { username: '\u0000\ud800"\\\n', permission: 'content' },
    })
    expect(await newest()).toMatchObject({ action: 'POST /console-api/v1/operators' })
    expect((await admin(audit.verify)).data.intact).toBe(true)
  })
})

describe('the audit log', () => {
  test('is readable only for system operators, with paging and filters', async () => {
    expect((await (await app.as('student'))(audit.list)).status).toBe(403)
    expect((await app.visitor(audit.verify)).status).toBe(401)
    for (const value of ['甲', '乙', '丙'])
      await admin(settings.update, { params: { key: 'schoolName' }, body: { value } })
    const first = await admin(audit.list, { query: { pageSize: 2, action: 'settings' } })
    const second = await admin(audit.list, {
      query: { pageSize: 2, action: 'settings', cursor: first.data.nextCursor },
    })
    const values = [...first.data.list, ...second.data.list].map(
      ({ details }) => (details as { body: { value: string } }).body.value,
    )
    expect(values.slice(0, 3)).toEqual(['丙', '乙', '甲'])
    const list = async (query: object) => (await admin(audit.list, { query })).data.list
    expect(await list({ operator: 'nobody' })).toEqual([])
    expect(await list({ to: '2020-01-01T00:00:00Z' })).toEqual([])
    expect(await list({ outcome: 'config.key_unknown' })).not.toEqual([])
    expect((await admin(audit.list, { query: { cursor: 'x' } })).status).toBe(400)
  })

  test('stays gapless and chained under concurrent writes', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        admin(at % 2 ? settings.update : slides.remove, {
          params: { key: 'schoolName', id: '1' },
          body: { value: `${at}` },
        }),
      ),
    )
    expect((await admin(audit.verify)).data).toMatchObject({ intact: true, broken: null })
  })

  test('is append-only', async () => {
    const { db } = app.platform
    const refused = /only ever added to/
    await expect(db.updateTable('audit_entry').set({ outcome: 'x' }).execute()).rejects.toThrow(
      refused,
    )
    await expect(db.deleteFrom('audit_entry').execute()).rejects.toThrow(refused)
    await expect(sql`truncate audit_entry`.execute(db)).rejects.toThrow(refused)
  })

  test('reveals entries that the database owner changed, removed or cut off', async () => {
    const { db } = app.platform
    await writeCheckpoint(app.platform)
    const state = async () => (await admin(audit.verify)).data
    expect(await state()).toMatchObject({ intact: true, checkpoints: 1 })
    const last = (await state()).head?.id ?? ''
    /** Bypasses the triggers, verifies, and restores the data. */
    const tampered = async (statement: ReturnType<typeof sql>) => {
      const asOwner = sql`alter table audit_entry disable trigger user`
      await sql`create table kept as select * from audit_entry`.execute(db)
      await asOwner.execute(db)
      await statement.execute(db)
      const seen = (await state()).broken
      await sql`delete from audit_entry`.execute(db)
      await sql`insert into audit_entry select * from kept`.execute(db)
      await sql`alter table audit_entry enable trigger user`.execute(db)
      await sql`drop table kept`.execute(db)
      return seen
    }
    expect(await tampered(sql`update audit_entry set operator = 'somebody' where id = 3`)).toEqual({
      id: '3',
      reason: 'changed',
    })
    expect(await tampered(sql`delete from audit_entry where id = 4`)).toEqual({
      id: '4',
      reason: 'missing',
    })
    expect(
      await tampered(
        sql`update audit_entry set happened_at = happened_at - interval '1 second' where id = 5`,
      ),
    ).toEqual({ id: '5', reason: 'changed' })
    expect(await tampered(sql`delete from audit_entry where id >= ${last}`)).toEqual({
      id: last,
      reason: 'missing',
    })
    expect(await state()).toMatchObject({ intact: true })
  })

  test('fails verification when rewritten consistently after a signed checkpoint', async () => {
    const { db } = app.platform
    const { data } = await admin(audit.verify)
    await sql`alter table audit_entry disable trigger user`.execute(db)
    await sql`create table kept as select * from audit_entry order by id`.execute(db)
    await sql`delete from audit_entry`.execute(db)
    await sql`alter table audit_entry enable trigger audit_entry_chain`.execute(db)
    await sql`
      insert into audit_entry (channel, operator, action, details, outcome)
      select channel, 'somebody', action, details, outcome from kept order by kept.id`.execute(db)
    expect((await admin(audit.verify)).data.broken).toEqual({
      id: data.head?.id,
      reason: 'checkpoint',
    })
  })
})
