import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { findRunningPostgres } from '#platform/embedded-postgres.ts'
import { demoPassword } from '../test/test-app.ts'
import { createDatabase, dropDatabase } from './database.ts'

const main = path.join(import.meta.dirname, 'main.ts')
const clean: (() => unknown)[] = []
afterEach(async () => {
  for (const step of clean.splice(0).reverse()) await step()
})

/** About the embedded database: the same in a run on another one. */
const testEmbedded = test.skipIf(process.env.ATRIUM_TEST_DATABASE_URL)

type Running = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

/** The server as a process of its own. */
function run(variables: Record<string, string>): Running {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      ATRIUM_JOBS: 'off',
      HOST: '127.0.0.1',
      ...variables,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  )
  clean.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  return { child, output: () => output, exited }
}

function folder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'atrium-main-'))
  clean.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function until<T>(
  read: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 120,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await read()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`it did not happen in time: ${read}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
const portOf = (running: Running) =>
  until(() => /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(running.output())?.[1])
const ready = (running: Running) =>
  until(() => {
    if (running.child.exitCode !== null) throw new Error(`it ended: ${running.output()}`)
    return running.output().includes('Atrium is ready')
  }, 120).catch((error) => {
    throw new Error(`${error.message}\n${running.output()}`)
  })
const statusOf = (port: string, url: string) =>
  fetch(`http://127.0.0.1:${port}${url}`).then(
    (response) => response.status,
    () => 0,
  )

/** A copy of the filled template on the server under test. */
async function database() {
  const server = inject('server')
  const name = `${inject('template')}_main_${process.hrtime.bigint().toString(36)}`
  const admin = server.replace('{database}', 'postgres')
  await createDatabase(admin, name, inject('template'))
  clean.push(() => dropDatabase(admin, name))
  return server.replace('{database}', name)
}
const demo = async (variables: Record<string, string> = {}) => {
  const dataDir = folder()
  cpSync(path.join(inject('dataDir'), 'files'), path.join(dataDir, 'files'), { recursive: true })
  return {
    ATRIUM_DEMO: '1',
    DATABASE_URL: await database(),
    ATRIUM_DATA_DIR: dataDir,
    ...variables,
  }
}

describe('a start that cannot be ends in one clear sentence', () => {
  async function expectRefusal(variables: Record<string, string>, sentence: RegExp) {
    const running = run(variables)
    expect(await running.exited).toBe(1)
    expect(running.output()).toMatch(sentence)
    expect(running.output()).not.toMatch(/\n\s+at /)
  }

  test.each([
    [{ PORT: 'eighty' }, /PORT must be a whole number from 0 to 65535/],
    [{ ATRIUM_PUBLIC_URL: 'm.example.edu' }, /ATRIUM_PUBLIC_URL must be an http or https address/],
    [{ DATABASE_URL: 'mysql://x' }, /DATABASE_URL must be an address such as postgres:/],
    [{ ATRIUM_SECRET: 'short' }, /ATRIUM_SECRET must be at least 32 characters/],
    [{ ATRIUM_DEMO: 'yes' }, /ATRIUM_DEMO must be 0 or 1/],
  ])('a wrong value names itself: %j', (variables, sentence) =>
    expectRefusal({ ATRIUM_DATA_DIR: folder(), ...variables }, sentence),
  )

  test('a busy port', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    clean.push(() => void busy.close())
    const { port } = await until(() => (busy.address() as { port: number } | null) ?? undefined)
    await expectRefusal(
      { PORT: String(port), ATRIUM_DATA_DIR: folder() },
      new RegExp(`Port ${port} is in use by another program`),
    )
  })

  testEmbedded('a data folder that another Atrium uses', async () => {
    const dataDir = folder()
    const first = run({ ATRIUM_DATA_DIR: dataDir })
    await ready(first)
    await expectRefusal({ ATRIUM_DATA_DIR: dataDir }, /is in use by another Atrium/)
    expect(first.child.exitCode).toBeNull()
  })

  testEmbedded('a database folder of a newer PostgreSQL', async () => {
    const dataDir = folder()
    mkdirSync(path.join(dataDir, 'postgres'))
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '99\n')
    await expectRefusal(
      { ATRIUM_DATA_DIR: dataDir },
      /was made by PostgreSQL 99, and this Atrium brings 18/,
    )
  })

  test('a database of a newer Atrium', async () => {
    const url = await database()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(
      "insert into kysely_migration (name, timestamp) values ('9999-future', '2030-01-01')",
    )
    await client.end()
    await expectRefusal(
      { DATABASE_URL: url, ATRIUM_DATA_DIR: folder() },
      /made by a newer Atrium \(9999-future/,
    )
  })

  test('the demo in an institution, and an institution in the demo', async () => {
    const { ATRIUM_DEMO: _, ...variables } = await demo()
    await expectRefusal(variables, /holds the demo institution/)
    const client = new pg.Client({ connectionString: variables.DATABASE_URL })
    await client.connect()
    await client.query('update installation set demo = false')
    await client.end()
    await expectRefusal({ ...variables, ATRIUM_DEMO: '1' }, /holds real members/)
  })

  test.runIf(process.getuid?.() !== 0)('a folder that cannot be written', () =>
    expectRefusal({ ATRIUM_DATA_DIR: '/proc/nowhere' }, /cannot be written/),
  )
})

describe('a database that goes away', () => {
  /** Something between the server and its database that can be unplugged. */
  async function cable(url: string) {
    const { socketPath, host, port } = target(url)
    let server: Server | undefined
    const open = new Set<Socket>()
    const plugIn = (at = 0) =>
      new Promise<number>((resolve) => {
        server = createServer((near) => {
          const far = socketPath ? connect(socketPath) : connect(port, host)
          for (const end of [near, far]) {
            open.add(end)
            end.on('error', () => {})
            end.on('close', () => [near, far].forEach((other) => void other.destroy()))
          }
          near.pipe(far).pipe(near)
        }).listen(at, '127.0.0.1', () => {
          const { port } = (server as Server).address() as AddressInfo
          resolve(port)
        })
      })
    const unplug = () => {
      server?.close()
      for (const end of open) end.destroy()
      open.clear()
    }
    clean.push(unplug)
    return { plugIn, unplug }
  }
  function target(url: string) {
    const parsed = new URL(url)
    const socketFolder = parsed.searchParams.get('host')
    return {
      socketPath: socketFolder ? `${socketFolder}/.s.PGSQL.5432` : undefined,
      host: parsed.hostname,
      port: Number(parsed.port || 5432),
    }
  }

  test('is waited for, missed and found again, while the server stays up', async () => {
    const variables = await demo()
    const wire = await cable(variables.DATABASE_URL)
    const wirePort = await wire.plugIn()
    wire.unplug()
    const database = new URL(variables.DATABASE_URL)
    const through = `postgres://${database.username || 'atrium'}@127.0.0.1:${wirePort}${database.pathname}`

    const server = run({ ...variables, DATABASE_URL: through })
    const port = await portOf(server)
    expect(await statusOf(port, '/healthz')).toBe(200)
    expect(await statusOf(port, '/readyz')).toBe(503)
    const refused = await fetch(`http://127.0.0.1:${port}/portal-api/v1/home`)
    expect(await refused.json()).toMatchObject({
      code: 503,
      error: 'server.unavailable',
      message: expect.stringContaining('稍后'),
    })

    await wire.plugIn(wirePort)
    await until(async () => (await statusOf(port, '/readyz')) === 200)
    expect(await statusOf(port, '/portal-api/v1/home')).toBe(200)

    wire.unplug()
    await until(async () => (await statusOf(port, '/readyz')) === 503)
    expect(await statusOf(port, '/portal-api/v1/service/getService?serviceId=1')).toBe(503)
    expect(server.child.exitCode).toBeNull()

    await wire.plugIn(wirePort)
    await until(async () => (await statusOf(port, '/readyz')) === 200)
    await until(async () => (await statusOf(port, '/portal-api/v1/home')) === 200)
  }, 240_000)
})

describe('a full disk', () => {
  /** A disk of its own; only root may make one, and not everywhere. */
  function disk(megabytes: number) {
    const place = folder()
    const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place])
    if (made.status === 0) clean.push(() => spawnSync('umount', ['-l', place]))
    return made.status === 0 ? place : undefined
  }

  testEmbedded(
    'is said, refuses what would be written, and is over when there is room again',
    async ({ skip }) => {
      const place = disk(400) ?? skip('this user cannot mount a disk')
      const dataDir = path.join(place, 'data')
      const variables = { ATRIUM_DEMO: '1', ATRIUM_DATA_DIR: dataDir }
      const filling = path.join(place, 'filling')
      const first = run(variables)
      const port = await portOf(first)
      await ready(first)
      const signIn = () =>
        fetch(`http://127.0.0.1:${port}/token/password/passwordLogin`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ username: 'student', password: demoPassword }),
        }).then((response) => response.status)
      expect(await signIn()).toBe(200)

      // Rows still fit into what the database has reserved; soon they do not.
      spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1M'])
      await until(async () => (await signIn()) === 503, 60)
      await until(() => first.output().includes('The disk of the database is full'))
      expect(await statusOf(port, '/portal-api/v1/home')).toBe(200)

      rmSync(filling)
      await until(async () => (await signIn()) === 200)
      spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1M'])
      first.child.kill('SIGTERM')
      await first.exited
      const refused = run(variables)
      expect(await refused.exited).toBe(1)
      expect(refused.output()).toMatch(/There is no room left where .* Free some space/)

      rmSync(filling)
      await ready(run(variables))
    },
    180_000,
  )
})

describe('a stop', () => {
  test('lets the requests in flight finish', async () => {
    const variables = await demo()
    const server = run(variables)
    const port = await portOf(server)
    await ready(server)
    const holder = new pg.Client({ connectionString: variables.DATABASE_URL })
    await holder.connect()
    await holder.query('begin; lock table service in access exclusive mode')
    const slow = fetch(`http://127.0.0.1:${port}/portal-api/v1/service/types`)
    await until(
      async () =>
        (
          await holder.query(
            "select 1 from pg_locks where relation = 'service'::regclass and not granted",
          )
        ).rowCount,
    )
    server.child.kill('SIGTERM')
    await until(async () => (await statusOf(port, '/readyz')) !== 200)
    await holder.query('rollback')
    await holder.end()
    expect((await slow).status).toBe(200)
    expect(await server.exited).toBe(0)
  })

  testEmbedded(
    'kill -9 in the middle of writes loses none that was acknowledged',
    async () => {
      const dataDir = folder()
      const first = run({ ATRIUM_DATA_DIR: dataDir, ATRIUM_DEMO: '1' })
      const port = await portOf(first)
      await ready(first)
      const api = async (at: string, url: string, init: RequestInit = {}) => {
        const headers = { 'content-type': 'application/json', ...init.headers }
        const response = await fetch(`http://127.0.0.1:${at}${url}`, { ...init, headers })
        return (await response.json()) as {
          code: number
          data: { idToken: string; list: { serviceId: string }[] } & string[]
        }
      }
      const signIn = async (at: string) =>
        (
          await api(at, '/token/password/passwordLogin', {
            method: 'POST',
            body: JSON.stringify({ username: 'student', password: demoPassword }),
          })
        ).data.idToken
      const token = await signIn(port)
      const services = (
        await api(port, '/portal-api/v1/service/list?pageSize=200', {
          headers: { 'x-id-token': token },
        })
      ).data.list
      const already = new Set(
        (
          await api(port, '/portal-api/v1/service/selectMyCollectServices', {
            headers: { 'x-id-token': token },
          })
        ).data as string[],
      )
      const fresh = services.map((service) => service.serviceId).filter((id) => !already.has(id))
      const acknowledged: string[] = []
      let writing = true
      const writers = [0, 1, 2, 3].map(async (lane) => {
        for (let at = lane; writing && at < fresh.length; at += 4) {
          const serviceId = fresh[at] as string
          const answer = await api(port, '/portal-api/v1/service/collect', {
            method: 'POST',
            body: JSON.stringify({ serviceId }),
            headers: { 'x-id-token': token },
          }).catch(() => undefined)
          if (answer?.code === 0) acknowledged.push(serviceId)
        }
      })
      await until(() => acknowledged.length >= 10)
      const postgres = await postmasterOf(dataDir)
      first.child.kill('SIGKILL')
      process.kill(postgres, 'SIGKILL')
      writing = false
      await Promise.all(writers)
      await first.exited

      const second = run({ ATRIUM_DATA_DIR: dataDir, ATRIUM_DEMO: '1' })
      const again = await portOf(second)
      await ready(second)
      const kept = (
        await api(again, '/portal-api/v1/service/selectMyCollectServices', {
          headers: { 'x-id-token': await signIn(again) },
        })
      ).data as string[]
      expect(acknowledged.length).toBeGreaterThanOrEqual(10)
      expect(kept).toEqual(expect.arrayContaining(acknowledged))
    },
    240_000,
  )

  /** The process id of a data folder's database. */
  async function postmasterOf(dataDir: string) {
    const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
    await client.connect()
    const { rows } = await client.query<{ pid: string }>(
      "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
    )
    await client.end()
    return Number(rows[0]?.pid)
  }

  testEmbedded(
    'a server that was killed leaves its database running, and the next start takes over from it',
    async () => {
      const dataDir = folder()
      const first = run({ ATRIUM_DATA_DIR: dataDir })
      await ready(first)
      const before = await postmasterOf(dataDir)
      first.child.kill('SIGKILL')
      await first.exited
      const second = run({ ATRIUM_DATA_DIR: dataDir })
      await ready(second)
      expect(await postmasterOf(dataDir)).not.toBe(before)
    },
  )
})
