import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { testApp } from '../../../../test/test-app.ts'
import { countRecipients } from './recipients.ts'

const rounds = 50
const file = path.join(import.meta.dirname, '../../../../test/sending-node.ts')

type Node = { child: ChildProcess; lines: Interface; ready: Promise<unknown> }
const nodes = new Set<Node>()
afterAll(() => {
  for (const { child } of nodes) child.kill('SIGKILL')
})

function startNode(url: string): Node {
  const child = spawn(process.execPath, [file, url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  const node = { child, lines, ready: once(lines, 'line') }
  nodes.add(node)
  return node
}

test('killing sending nodes in 50 rounds causes no lost or duplicate deliveries', async () => {
  const { platform, url } = await testApp()
  const { db } = platform
  const chosen = [{ ins_code: 'CS', below: true }]
  const expected = await countRecipients(db, chosen, null)
  const { id: author } = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', 'staff')
    .executeTakeFirstOrThrow()
  // One node is always started in advance, because a start takes longer than a round.
  const stays = startNode(url)
  let [killed, next] = [startNode(url), startNode(url)]
  let cutOff = 0
  for (let round = 0; round < rounds; round++) {
    const { id } = await db
      .insertInto('sending')
      .values({
        author_account_id: author,
        author: '测试',
        key: randomUUID(),
        title: `第 ${round} 次`,
        channels: ['push'],
        asks_confirmation: false,
        chosen: JSON.stringify(chosen),
        expected,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await Promise.all([stays.ready, killed.ready])
    const batch = `${randomInt(1, 20)}\n`
    killed.child.stdin?.write(batch)
    await wait(randomInt(0, 60))
    const exited = once(killed.child, 'exit')
    killed.child.kill('SIGKILL')
    await exited
    nodes.delete(killed)
    const { status } = await db
      .selectFrom('sending')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (status !== 'sent') cutOff++
    // The killed node's locks are released once the database notices the lost connection.
    await expect
      .poll(
        async () => {
          const done = once(stays.lines, 'line')
          stays.child.stdin?.write(batch)
          await done
          const sending = await db
            .selectFrom('sending')
            .select(['status', 'recipients'])
            .where('id', '=', id)
            .executeTakeFirstOrThrow()
          return sending
        },
        { timeout: 20_000, interval: 20 },
      )
      .toEqual({ status: 'sent', recipients: expected })
    const { rows } = await sql`
      select count(*)::integer as inboxes, count(distinct d.account_id)::integer as people,
        (select count(*)::integer from sending_recipient r where r.sending_id = ${id} and r.delivered_at is not null) as told
      from message_delivery d join sending s on s.message_id = d.message_id where s.id = ${id}`.execute(
      db,
    )
    expect(rows).toEqual([{ inboxes: expected, people: expected, told: expected }])
    killed = next
    next = startNode(url)
  }
  // Most rounds must be interrupted midway, otherwise the test proves nothing.
  expect(cutOff).toBeGreaterThan(rounds / 3)
}, 900_000)
