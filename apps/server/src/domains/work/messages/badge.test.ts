import { live } from '@atrium/contract/work/live'
import { messages } from '@atrium/contract/work/messages'
import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { type Answer, type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { withdraw } from './after-sending.ts'
import { deliverBroadcastBatch } from './broadcast.ts'
import { defineBuiltInApp, ensureBuiltInApp, getBuiltInKind } from './built-in-apps.ts'
import { sendMessage } from './send.ts'

const apps = ['one', 'two', 'three'].map((code) =>
  defineBuiltInApp({
    code: `badge-${code}`,
    name: code,
    nameEn: code,
    icon: { glyph: 'message', tone: 'blue' },
    position: 1,
    kinds: { general: { name: '通知', nameEn: 'General' } },
  }),
)

let app: TestApp
let members: { call: Caller; id: string }[]
let appIds: string[]
beforeAll(async () => {
  app = await testApp()
  const { db } = app.platform
  for (const { spec } of apps) await ensureBuiltInApp(db, spec)
  appIds = await Promise.all(
    apps.map(async ({ kinds }) => (await getBuiltInKind(db, kinds.general)).app_id),
  )
  members = await Promise.all(
    (['student', 'teacher'] as const).map(async (username) => ({
      call: await app.as(username),
      id: (
        await db
          .selectFrom('account')
          .select('id')
          .where('username', '=', username)
          .executeTakeFirstOrThrow()
      ).id,
    })),
  )
})

/** A step by one of several devices or by a sender. Numbers select an existing object. */
type Step = {
  what:
    | 'send'
    | 'broadcast'
    | 'read'
    | 'read all'
    | 'star'
    | 'mute'
    | 'pin'
    | 'delete'
    | 'delete app'
    | 'restore'
    | 'withdraw'
  member: number
  app: number
  pick: number
}
const anyStep: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    ...([
      'send',
      'send',
      'send',
      'broadcast',
      'read',
      'read',
      'read all',
      'star',
      'mute',
      'pin',
    ] as const),
    ...(['delete', 'delete', 'delete app', 'restore', 'restore', 'withdraw'] as const),
  ),
  member: fc.nat({ max: 1 }),
  app: fc.nat({ max: 2 }),
  pick: fc.nat({ max: 20 }),
})

type Memory = { sent: string[]; deleted: string[] }

async function take({ what, member, app: place, pick }: Step, { sent, deleted }: Memory) {
  const { db } = app.platform
  const { call, id } = members[member] as (typeof members)[0]
  const appId = appIds[place] as string
  const kind = (apps[place] as (typeof apps)[0]).kinds.general
  const chosen = sent.length > 0 ? sent[pick % sent.length] : undefined
  switch (what) {
    case 'send':
    case 'broadcast': {
      const to =
        what === 'send'
          ? { accounts: [id] }
          : { rules: [{ effect: 'include' as const, kind: 'everybody' as const }] }
      const { id: messageId } = await db
        .transaction()
        .execute((db) => sendMessage(db, { kind, to, title: { zh: `${sent.length}` } }))
      sent.push(messageId)
      if (what === 'broadcast') while ((await deliverBroadcastBatch(db)) > 0);
      return
    }
    case 'read':
      return chosen && call(messages.markRead, { body: { ids: [chosen] } })
    case 'read all':
      return call(messages.markAllRead, { body: pick % 2 ? { appId } : {} })
    case 'star':
      return chosen && call(messages.star, { body: { id: chosen, star: pick % 2 === 0 } })
    case 'mute':
      return call(messages.disturbed, { body: { appId, disturbed: pick % 2 === 0 } })
    case 'pin':
      return call(pick % 2 ? messages.top : messages.topCancel, { body: { appId } })
    case 'delete': {
      const ids = sent.slice(pick % 5, (pick % 5) + 3)
      if (ids.length === 0) return
      deleted.push((await call(messages.remove, { body: { ids } })).data.deletedAt)
      return
    }
    case 'delete app':
      deleted.push((await call(messages.removeApp, { body: { appId } })).data.deletedAt)
      return
    case 'restore': {
      const deletedAt = deleted[pick % Math.max(1, deleted.length)]
      return deletedAt && call(messages.restore, { body: { deletedAt } })
    }
    case 'withdraw':
      return chosen && db.transaction().execute((db) => withdraw(db, chosen))
  }
}

/** The badge, the counts per application and the list agree. */
async function expectSameEverywhere() {
  for (const { call } of members) {
    const [badge, unread, list, byApp] = await Promise.all([
      call(live.counts, { body: {} }),
      call(messages.unread),
      call(messages.apps),
      call(messages.unreadByApp),
    ])
    const muted = new Set(list.data.filter((one) => one.disturbed).map((one) => one.appId))
    const listed: { appId: string }[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { data }: Answer<typeof messages.list> = await call(messages.list, {
        query: { unread: 'true', pageSize: 200, ...(cursor && { cursor }) },
      })
      listed.push(...data.list)
      cursor = data.nextCursor
    }
    const counted = (appId: string) => listed.filter((one) => one.appId === appId).length
    expect(unread.data.withMuted).toBe(listed.length)
    expect(unread.data.unread).toBe(listed.filter(({ appId }) => !muted.has(appId)).length)
    expect(badge.data.messages).toBe(unread.data.unread)
    for (const { appId, unreadCount } of list.data) expect(unreadCount).toBe(counted(appId))
    for (const { appId, unreadCount } of byApp.data) expect(unreadCount).toBe(counted(appId))
  }
}

test('the badge matches the unread list after any concurrent actions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(anyStep, { minLength: 1, maxLength: 4 }), { minLength: 3, maxLength: 10 }),
      async (rounds) => {
        await sql`delete from message where app_id = any(${appIds}::bigint[])`.execute(
          app.platform.db,
        )
        const memory: Memory = { sent: [], deleted: [] }
        for (const together of rounds) {
          const answers = await Promise.all(together.map((step) => take(step, memory)))
          for (const answer of answers)
            if (typeof answer === 'object' && 'status' in answer)
              expect(answer.status).toBeLessThan(500)
          await expectSameEverywhere()
        }
      },
    ),
    { numRuns: 25 },
  )
}, 120_000)
