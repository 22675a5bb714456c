import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { callWebhook } from './webhook.ts'

const call = { id: 'one', body: '{}', key: 'secret' }

test('a webhook over plain http is called only in an allowed network', async () => {
  await expect(
    callWebhook('http://203.0.113.9/told', { ...call, allow: undefined }),
  ).rejects.toThrow(/closed to outgoing requests/)
  await expect(callWebhook('http://8.8.8.8/told', { ...call, allow: undefined })).rejects.toThrow(
    'must be called over https',
  )
  const server = createServer((_request, response) => response.end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await callWebhook(`http://127.0.0.1:${port}/told`, {
    ...call,
    allow: `127.0.0.1/32:${port}`,
  })
  expect(answer.status).toBe(200)
  server.close()
})
