import type { Job, Load } from './loader.ts'
import { cpuSeconds, descendants, type Program } from './processes.ts'
import { median } from './report.ts'

/** A contender for the same request; all of them are measured in turn in every round. */
export type Contender = {
  name: string
  pid: number
  run: (seconds: number) => Promise<Load>
}
export type Result = {
  name: string
  perSecond: number
  /** CPU per answer in µs, of the server's process and of all PostgreSQL processes */
  nodeMicros: number
  postgresMicros: number
  latency: { median: number; p99: number }
  loaderBusy: number
  /** requests per second of each round */
  rounds: number[]
}

/** Seconds; a freshly started server is still compiling its code. */
const warmUp = 5

export async function measure(
  contenders: Contender[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Result[]> {
  const samples = contenders.map(() => [] as (Load & { node: number; postgres: number })[])
  for (const { run } of contenders) await run(warmUp)
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      // A different one begins each round, so that other load on the machine affects all equally.
      const index = (round + turn) % contenders.length
      const { pid, run } = contenders[index] as Contender
      const before = cpuOf(pid)
      const load = await run(seconds)
      const after = cpuOf(pid)
      const micros = 1_000_000 / Math.max(load.answers, 1)
      samples[index]?.push({
        ...load,
        node: (after.node - before.node) * micros,
        postgres: (after.postgres - before.postgres) * micros,
      })
    }
  }
  return contenders.map(({ name }, index) => {
    const roundSamples = samples[index] ?? []
    const medianOf = (of: (sample: (typeof roundSamples)[number]) => number) =>
      median(roundSamples.map(of))
    return {
      name,
      perSecond: medianOf((sample) => sample.perSecond),
      nodeMicros: medianOf((sample) => sample.node),
      postgresMicros: medianOf((sample) => sample.postgres),
      latency: {
        median: medianOf((sample) => sample.latency.median),
        p99: medianOf((sample) => sample.latency.p99),
      },
      loaderBusy: medianOf((sample) => sample.busy),
      rounds: roundSamples.map((sample) => Math.round(sample.perSecond)),
    }
  })
}

const cpuOf = (pid: number) => ({
  node: cpuSeconds([pid]),
  postgres: cpuSeconds(descendants(process.pid, 'postgres')),
})

export const connections = 32

/** A contender addressed over HTTP. */
export const overHttp = (
  name: string,
  server: { pid: number; port: number },
  loader: Program,
  requests: string[],
): Contender => ({
  name,
  pid: server.pid,
  run: (seconds) =>
    loader.request<Load>({ port: server.port, requests, connections, seconds } satisfies Job),
})

/** The raw text of a request as a phone sends it. */
export function requestText(
  url: string,
  headers: Record<string, string> = {},
  body?: object,
): string {
  const text = body && JSON.stringify(body)
  const all = {
    host: 'localhost',
    'user-agent':
      'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Mobile Safari/537.36',
    accept: 'application/json',
    'accept-language': 'zh-CN,zh;q=0.9',
    'x-terminal-info': 'h5',
    ...headers,
    ...(text && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${body ? 'POST' : 'GET'} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text ?? ''}`
}
