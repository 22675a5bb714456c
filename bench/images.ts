import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { openDatabase, openPool } from '../apps/server/src/platform/database/db.ts'
import { startEmbeddedPostgres } from '../apps/server/src/platform/database/embedded-postgres.ts'
import { openSecret } from '../apps/server/src/platform/secret.ts'
import { openFiles } from '../apps/server/src/platform/storage/files.ts'
import type { Script } from './baseline-server.ts'
import type { Job, Load } from './loader.ts'
import type { Settings } from './main.ts'
import { connections, measure, overHttp, type Result, requestText } from './measure.ts'
import { startAtrium, startProgram } from './processes.ts'
import { count, fixed, machine, percent, report, type Target } from './report.ts'
import { sendRequest } from './request.ts'
import type { ResizeJob } from './resizing.ts'

const headers = { accept: 'image/webp,image/*,*/*;q=0.8' }
/** The concurrency of the image service. */
const concurrency = Math.max(2, os.availableParallelism())

/** The image service compared with sharp alone and with a bare file server. */
export async function benchImages(settings: Settings) {
  if (process.platform !== 'linux')
    throw new Error('The image bench reads CPU from /proc and needs Linux.')
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'atrium-bench-'))
  // As root, the embedded database runs as another user, who needs access.
  chmodSync(dataDir, 0o711)
  const secret = randomBytes(24).toString('hex')
  const variables = {
    ATRIUM_DEMO: '1',
    ATRIUM_DATA_DIR: dataDir,
    ATRIUM_SECRET: secret,
    ATRIUM_RATE_LIMIT: '0',
    ATRIUM_JOBS: 'off',
  }
  try {
    console.log('creating a database and a picture of 600 × 400')
    await (await startAtrium(variables)).stop()
    const embedded = await startEmbeddedPostgres(dataDir)
    try {
      const url = embedded.url('atrium')
      const picture = await drawPicture()
      const db = openDatabase(openPool(url, 1))
      const files = await openFiles({ ATRIUM_DATA_DIR: dataDir }, openSecret(secret))
      const id = await files.keep(db, picture, {
        mediaType: 'image/jpeg',
        isPublic: true,
      })
      await db.destroy()
      const atrium = await startAtrium({ ...variables, DATABASE_URL: url })
      try {
        await compare(settings, atrium, picture, id, dataDir)
      } finally {
        await atrium.stop()
      }
    } finally {
      await embedded.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Soft shapes with grain, like a photograph: 600 × 400, JPEG. */
async function drawPicture() {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><defs><linearGradient id="a" x2="1" y2="1"><stop stop-color="#135"/><stop offset="1" stop-color="#fb7"/></linearGradient></defs><rect width="600" height="400" fill="url(#a)"/>${Array.from({ length: 60 }, (_, index) => `<circle cx="${(index * 137) % 600}" cy="${(index * 71) % 400}" r="${8 + ((index * 13) % 50)}" fill="hsl(${(index * 47) % 360} 60% 55%)" opacity="0.6"/>`).join('')}</svg>`
  const grain = await sharp({
    create: {
      width: 600,
      height: 400,
      channels: 3,
      background: '#808080',
      noise: { type: 'gaussian', mean: 128, sigma: 18 },
    },
  })
    .png()
    .toBuffer()
  return sharp(Buffer.from(svg))
    .composite([{ input: grain, blend: 'overlay' }])
    .jpeg({ quality: 85 })
    .toBuffer()
}

async function compare(
  settings: Settings,
  atrium: { pid: number; port: number },
  picture: Buffer,
  id: string,
  dataDir: string,
) {
  const loader = startProgram('loader')
  const resizing = startProgram('resizing')
  const files = startProgram('baseline-server')
  const memory = startProgram('baseline-server')
  try {
    console.log('measuring pictures that are resized')
    // A different background colour makes a different picture with the same amount of work.
    let pictureCount = 0
    const nextAddress = () =>
      `/thumbor/unsafe/250x200/filters:background_color(${(pictureCount++).toString(16).padStart(6, '0')})/files/${id}`
    const [service, alone] = (await measure(
      [
        {
          name: 'Atrium',
          pid: atrium.pid,
          run(seconds) {
            const requests = Array.from({ length: 600 * seconds }, () =>
              requestText(nextAddress(), headers),
            )
            const job = { port: atrium.port, requests, connections, seconds } satisfies Job
            return loader.request<Load>(job)
          },
        },
        {
          name: 'sharp alone',
          pid: resizing.pid,
          async run(seconds) {
            const { perSecond } = await resizing.request<{ perSecond: number }>({
              picture: picture.toString('base64'),
              concurrency,
              seconds,
            } satisfies ResizeJob)
            const latency = (1000 / perSecond) * concurrency
            return {
              perSecond,
              answers: perSecond * seconds,
              latency: { median: latency, p99: latency },
              busy: 0,
            }
          },
        },
      ],
      settings,
    )) as [Result, Result]

    console.log('measuring a cached picture')
    const address = `/thumbor/unsafe/250x200/files/${id}`
    const cached = await sendRequest(atrium, address, headers)
    const file = path.join(dataDir, 'kept.webp')
    writeFileSync(file, cached.bytes)
    const cachedHeaders = { 'content-type': cached.type }
    const { port: filesPort } = await files.request<{ port: number }>({
      headers: cachedHeaders,
      file,
    } satisfies Script)
    const { port: memoryPort } = await memory.request<{ port: number }>({
      headers: cachedHeaders,
      body: cached.bytes.toString('base64'),
    } satisfies Script)
    const text = [requestText(address, headers)]
    const [ours, static_, fromMemory] = (await measure(
      [
        overHttp('Atrium', atrium, loader, text),
        overHttp('baseline, from a file', { pid: files.pid, port: filesPort }, loader, text),
        overHttp('baseline, from memory', { pid: memory.pid, port: memoryPort }, loader, text),
      ],
      settings,
    )) as [Result, Result, Result]

    const row = (what: string, result: Result, of: Result) => [
      what,
      result.name,
      count(result.perSecond),
      percent(result.perSecond / of.perSecond),
      fixed(result.nodeMicros),
      fixed(result.latency.median, 2),
      fixed(result.latency.p99, 2),
    ]
    const target = (what: string, wanted: number, measured: number): Target => ({
      what,
      wanted: `≥ ${percent(wanted)}`,
      measured: percent(measured),
      ok: measured >= wanted,
    })
    const kilobytes = (bytes: number) => fixed(bytes / 1024, 1)
    const tables = [
      {
        title: `A JPEG of 600 × 400 (${kilobytes(picture.length)} KB) as WebP of 250 × 200 (${kilobytes(cached.bytes.length)} KB)`,
        head: ['', 'server', 'pictures/s', 'of baseline', 'CPU µs', 'median ms', 'p99 ms'],
        rows: [
          row('resized', service, alone),
          row('', alone, alone),
          row('cached', ours, static_),
          row('', static_, static_),
          row('', fromMemory, static_),
        ],
        note: `${connections} connections; sharp alone resizes ${concurrency} at a time, as the server does.`,
      },
    ]
    const targets = [
      target('resized, share of sharp alone', 0.6, service.perSecond / alone.perSecond),
      target('cached, share of the baseline from a file', 0.4, ours.perSecond / static_.perSecond),
    ]
    const raw = { made: [service, alone], kept: [ours, static_, fromMemory] }
    report('images', { machine: machine(), tables, targets }, { ...settings }, raw)
  } finally {
    for (const one of [loader, resizing, files, memory]) await one.stop()
  }
}
