import pg from 'pg'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { testApp } from '../../../test/test-app.ts'
import { announce, openTopics } from './topics.ts'

const { url, platform } = await testApp()

test('everything announced before a flush is heard, with one query at a time', async () => {
  const { query } = pg.Client.prototype
  let running = 0
  let most = 0
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function (
    this: pg.Client & { connectionParameters: { application_name: string } },
    ...args: unknown[]
  ) {
    const isTopics = 'atrium-topics' === this.connectionParameters.application_name
    if (isTopics) most = Math.max(most, ++running)
    try {
      return await (query as (...args: unknown[]) => Promise<unknown>).apply(this, args)
    } finally {
      if (isTopics) running--
    }
  } as never)
  const topics = await openTopics(url, pino({ level: 'fatal' }))
  const heard = new Set<string>()
  topics.on(({ key }) => heard.add(key))
  try {
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await announce(platform.db, { kind: 'topic', key: `flush ${index}` })
        await topics.flushed()
        expect(heard).toContain(`flush ${index}`)
      }),
    )
    expect(most).toBe(1)
  } finally {
    await topics.close()
  }
})
