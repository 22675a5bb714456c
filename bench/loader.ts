import { connect } from 'node:net'

/** Raw HTTP requests, sent in turn and repeated. */
export type Job = {
  port: number
  requests: string[]
  connections: number
  seconds: number
  /** expected status; default 200 */
  status?: number
}
export type Load = {
  perSecond: number
  answers: number
  /** milliseconds */
  latency: { median: number; p99: number }
  /** share of one core used by this process: near 1, the loader is the bottleneck, not the server */
  busy: number
}

/**
 * Sends a job's requests over keep-alive connections, one at a time per connection, and counts the answers. Sockets
 * rather than an HTTP client, which would cost more than the bare server it measures. An unexpected status ends the
 * run.
 */
async function load({ port, requests, connections, seconds, status = 200 }: Job): Promise<Load> {
  const latencies: number[] = []
  const cpu = process.cpuUsage()
  const started = performance.now()
  const end = started + seconds * 1000
  let next = 0
  await Promise.all(
    Array.from(
      { length: connections },
      () =>
        new Promise<void>((resolve, reject) => {
          const socket = connect({ port, host: '127.0.0.1', noDelay: true })
          let sent = 0
          let head: Buffer | undefined
          /** bytes still expected; infinite until the end of a chunked answer */
          let remaining = 0
          let tail = ''
          const send = () => {
            tail = ''
            sent = performance.now()
            socket.write(requests[next++ % requests.length] as string, 'latin1')
          }
          const onAnswer = () => {
            const now = performance.now()
            if (now < end) {
              latencies.push(now - sent)
              return send()
            }
            socket.destroy()
            resolve()
          }
          socket.on('connect', send)
          socket.on('error', reject)
          socket.on('close', () => reject(new Error('the server closed a connection')))
          socket.on('data', (chunk: Buffer) => {
            if (remaining > 0) remaining -= chunk.length
            else {
              const bytes = head ? Buffer.concat([head, chunk]) : chunk
              const headLength = bytes.indexOf('\r\n\r\n')
              if (headLength < 0) {
                head = bytes
                return
              }
              head = undefined
              const text = bytes.toString('latin1', 0, headLength)
              const length =
                /\ncontent-length: (\d+)/i.exec(text)?.[1] ??
                (/\ntransfer-encoding: chunked/i.test(text) ? Number.POSITIVE_INFINITY : undefined)
              if (!text.startsWith(`HTTP/1.1 ${status}`) || length === undefined)
                return reject(new Error(`not an answer that can be counted:\n${bytes.toString()}`))
              remaining = Number(length) + headLength + 4 - bytes.length
            }
            if (remaining === Number.POSITIVE_INFINITY) {
              tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 5))).slice(-5)
              if (tail === '0\r\n\r\n') remaining = 0
            }
            if (remaining === 0) onAnswer()
            else if (remaining < 0) reject(new Error('more came than was announced'))
          })
        }),
    ),
  )
  const { user, system } = process.cpuUsage(cpu)
  const elapsed = performance.now() - started
  latencies.sort((a, b) => a - b)
  const quantile = (share: number) => latencies[Math.floor(latencies.length * share)] ?? Number.NaN
  return {
    perSecond: latencies.length / seconds,
    answers: latencies.length,
    latency: { median: quantile(0.5), p99: quantile(0.99) },
    busy: (user + system) / 1000 / elapsed,
  }
}

process.on('message', async (job: Job) => {
  process.send?.(await load(job).catch((error: Error) => ({ error: error.message })))
})
process.on('disconnect', () => process.exit())
