import http from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { live } from '@atrium/contract/work/live'
import type { Script } from './baseline-server.ts'
import { memoryMb, type Server } from './processes.ts'

export const streams = 5000
/** Opened before memory is first measured: a node's one-time cost is not the cost of a stream. */
export const streamsBefore = 1000
export const streamsPerMember = 10

/** Headers and first events of one of our streams. */
export async function streamScript(server: Server, token: string): Promise<Script> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${live.stream.path}`, {
    headers: { 'x-id-token': token },
  })
  let stream = ''
  for await (const part of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    stream += part
    if (stream.includes('event: counts')) break
  }
  const {
    connection,
    date,
    'transfer-encoding': _,
    ...headers
  } = Object.fromEntries(answer.headers)
  return { headers, stream }
}

/** Opens a stream for each device of each member; resolves when each has received its counts. */
export async function openStreams({ pid, port }: { pid: number; port: number }, tokens: string[]) {
  const requests: http.ClientRequest[] = []
  let received = 0
  const open = (token: string) =>
    new Promise<void>((resolve, reject) => {
      const request = http.get({
        port,
        host: '127.0.0.1',
        path: live.stream.path,
        agent: false,
        headers: { 'x-id-token': token },
      })
      requests.push(request)
      request.on('error', reject)
      request.on('response', (response) => {
        if (response.statusCode !== 200)
          return reject(new Error(`a stream answered ${response.statusCode}`))
        response.on('data', (part: Buffer) => {
          const text = part.toString()
          if (text.includes('event: counts')) resolve()
          if (text.includes('event: message')) received += 1
        })
        response.on('error', () => {})
      })
    })
  const devices = Array.from({ length: streamsPerMember }, () => tokens).flat()
  async function openUpTo(number: number) {
    while (requests.length < number)
      await Promise.all(
        devices.slice(requests.length, Math.min(requests.length + 50, number)).map(open),
      )
    await wait(3000)
    return memoryMb([pid])
  }
  const before = await openUpTo(streamsBefore)
  const after = await openUpTo(streamsBefore + streams)
  return {
    kilobytesEach: ((after - before) * 1024) / streams,
    /** number of messages received on all streams */
    received: () => received,
    close: () => {
      for (const request of requests) request.on('error', () => {}).destroy()
    },
  }
}
