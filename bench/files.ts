import { randomBytes } from 'node:crypto'
import { chmodSync, createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage } from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { files, type UploadedFile } from '@atrium/contract/content/files'
import { identity } from '@atrium/contract/identity/identity'
import type { Settings } from './main.ts'
import { memoryMb, type Server, startAtrium } from './processes.ts'
import { fixed, machine, report } from './report.ts'

const megabytes = 100
const boundary = 'bench'

/** Uploads and downloads one large file, measuring time and additional server memory. */
export async function benchFiles(settings: Settings) {
  if (process.platform !== 'linux')
    throw new Error('The file bench reads memory from /proc and needs Linux.')
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
  // As root, the embedded database runs as another user, who needs access.
  chmodSync(dataDir, 0o711)
  const atrium = await startAtrium({
    ATRIUM_DEMO: '1',
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_RATE_LIMIT: '0',
    ATRIUM_JOBS: 'off',
  })
  try {
    const token = await signIn(atrium)
    // Warm-up: modules loaded by the first upload stay in memory and must not count.
    await upload(atrium, token, makeForm(dataDir, 1))
    const rounds: Round[] = []
    for (let round = 0; round < settings.rounds; round++) {
      console.log(`round ${round + 1} of ${settings.rounds}: ${megabytes} MB`)
      const form = makeForm(dataDir, megabytes)
      const up = await measureMemory(atrium, () => upload(atrium, token, form))
      const down = await measureMemory(atrium, () => download(atrium, up.result.url))
      rounds.push({ up, down })
    }
    const summarize = (direction: 'up' | 'down') => ({
      seconds: median(rounds.map((round) => round[direction].seconds)),
      more: Math.max(...rounds.map((round) => round[direction].more)),
    })
    const [up, down] = [summarize('up'), summarize('down')]
    report(
      'files',
      {
        machine: machine(),
        tables: [
          {
            title: `A file of ${megabytes} MB`,
            head: ['', 'seconds', 'MB/s', 'additional memory, MB'],
            rows: [
              ['upload', fixed(up.seconds), fixed(megabytes / up.seconds), fixed(up.more)],
              ['download', fixed(down.seconds), fixed(megabytes / down.seconds), fixed(down.more)],
            ],
            note: 'Memory is read every 20 ms during the transfer and compared with the value before it; the highest of all rounds counts.',
          },
        ],
        targets: [['upload', up.more] as const, ['download', down.more] as const].map(
          ([what, more]) => ({
            what: `${what} of ${megabytes} MB, memory`,
            wanted: '< 50 MB more',
            measured: `${fixed(more)} MB more`,
            ok: more < 50,
          }),
        ),
      },
      settings,
      rounds.map(({ up, down }) => ({
        up: { seconds: up.seconds, more: up.more },
        down: { seconds: down.seconds, more: down.more },
      })),
    )
  } finally {
    await atrium.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

type Measured<T> = { result: T; seconds: number; more: number }
type Round = { up: Measured<UploadedFile>; down: Measured<void> }

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

/** Writes a form with unique content to disk, so that this process is not the bottleneck. */
function makeForm(folder: string, size: number) {
  const file = path.join(folder, 'form')
  const name = `${randomBytes(6).toString('hex')}.wav`
  writeFileSync(
    file,
    Buffer.concat([
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\nRIFF\0\0\0\0WAVEfmt `,
        'latin1',
      ),
      randomBytes(size * 1_000_000),
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  )
  return file
}

/** Duration of an action and the peak of the server's additional memory. */
async function measureMemory<T>(server: Server, run: () => Promise<T>): Promise<Measured<T>> {
  const before = memoryMb([server.pid])
  let peak = before
  let isRunning = true
  const sampling = (async () => {
    while (isRunning) {
      peak = Math.max(peak, memoryMb([server.pid]))
      await wait(20)
    }
  })()
  const started = performance.now()
  const result = await run()
  const seconds = (performance.now() - started) / 1000
  isRunning = false
  await sampling
  return { result, seconds, more: peak - before }
}

async function signIn({ port }: Server): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${identity.passwordLogin.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'student', password: 'Atrium-demo-2026' }),
  })
  const { data } = (await answer.json()) as { data: { idToken: string } }
  return data.idToken
}

async function upload({ port }: Server, token: string, form: string): Promise<UploadedFile> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = http.request(
      {
        host: '127.0.0.1',
        port,
        method: files.upload.method,
        path: files.upload.path,
        headers: {
          'x-id-token': token,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
      },
      resolve,
    )
    request.on('error', reject)
    createReadStream(form).pipe(request)
  })
  let text = ''
  for await (const chunk of answer) text += chunk
  if (answer.statusCode !== 200) throw new Error(`the upload was refused: ${text}`)
  return JSON.parse(text).data
}

async function download({ port }: Server, url: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${url}`)
  let bytes = 0
  for await (const chunk of answer.body ?? []) bytes += chunk.length
  if (bytes < megabytes * 1_000_000) throw new Error(`only ${bytes} bytes came`)
}
