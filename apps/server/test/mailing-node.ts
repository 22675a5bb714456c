import { operators } from '@atrium/contract/identity/operators.operator'
import { notifications } from '@atrium/contract/work/notifications'
import { expect } from 'vitest'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { type Caller, openNode, type TestApp } from './test-app.ts'

/** A node on the tests' database that sends members' mails to this server until `close`. */
export async function openMailingNode({ url }: TestApp, mail: { port: number }) {
  const node = await openNode(url, {
    ATRIUM_DEMO: '0',
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${mail.port}`,
    ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
  })
  const { stop } = startOutbox(node.platform)
  return {
    ...node,
    async close() {
      await stop()
      await node.app.close()
      await node.platform.close()
    },
  }
}

/** Lets a member send messages to an organisation, or to the whole institution. */
export async function makeSender(admin: Caller, username: string, organization?: string) {
  const body = { username, role: 'sender', ...(organization && { organization }) }
  const granted = await admin(operators.grant, { body })
  expect(granted.status, granted.raw).toBe(200)
}

/** Makes a member receive every notification immediately. */
export async function announceAtOnce(member: Caller) {
  const set = await member(notifications.setAttention, {
    body: {
      quietFrom: null,
      quietUntil: null,
      daysOff: [],
      digest: 'none',
      digestAt: '18:00',
      digestDay: 5,
      maxPerHour: 0,
    },
  })
  expect(set.status, set.raw).toBe(200)
}
