import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import {
  clean,
  database,
  demo,
  folder,
  portOf,
  postmasterOf,
  ready,
  run,
  statusOf,
  testEmbedded,
  until,
} from '../test/server-process.ts'
import { demoPassword } from '../test/test-app.ts'

describe('startup fails with one clear sentence', () => {
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
  ])('for an invalid setting: %j', (variables, sentence) =>
    expectRefusal({ ATRIUM_DATA_DIR: folder(), ...variables }, sentence),
  )

  test('if the port is in use', async () => {
    const busy = createServer().listen(0, '127.0.0.1')
    clean.push(() => void busy.close())
    const { port } = await until(() => (busy.address() as { port: number } | null) ?? undefined)
    await expectRefusal(
      { PORT: String(port), ATRIUM_DATA_DIR: folder() },
      new RegExp(`Port ${port} is in use by another program`),
    )
  })

  testEmbedded('if another Atrium uses the data folder', async () => {
    const dataDir = folder()
    const first = run({ ATRIUM_DATA_DIR: dataDir })
    await ready(first)
    await expectRefusal({ ATRIUM_DATA_DIR: dataDir }, /is in use by another Atrium/)
    expect(first.child.exitCode).toBeNull()
  })

  testEmbedded('if the database folder was made by a newer PostgreSQL', async () => {
    const dataDir = folder()
    mkdirSync(path.join(dataDir, 'postgres'))
    writeFileSync(path.join(dataDir, 'postgres/PG_VERSION'), '99\n')
    await expectRefusal(
      { ATRIUM_DATA_DIR: dataDir },
      /was made by PostgreSQL 99, and this Atrium brings 18/,
    )
  })

  test('if the database was migrated by a newer Atrium', async () => {
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

  test('if ATRIUM_DEMO does not match the institution in the database', async () => {
    const { ATRIUM_DEMO: _, ...variables } = await demo()
    await expectRefusal(variables, /holds the demo institution/)
    const client = new pg.Client({ connectionString: variables.DATABASE_URL })
    await client.connect()
    await client.query('update installation set demo = false')
    await client.end()
    await expectRefusal({ ...variables, ATRIUM_DEMO: '1' }, /holds real members/)
  })

  test.runIf(process.getuid?.() !== 0)('if the data folder is not writable', () =>
    expectRefusal({ ATRIUM_DATA_DIR: '/proc/nowhere' }, /cannot be written/),
  )
})

describe('a first start', () => {
  test('with a database server creates the data folder', async () => {
    const dataDir = path.join(folder(), 'not/there')
    await ready(run({ DATABASE_URL: await database(), ATRIUM_DEMO: '1', ATRIUM_DATA_DIR: dataDir }))
    expect(existsSync(path.join(dataDir, 'secret'))).toBe(true)
  })

  testEmbedded('works for an unprivileged user with read-only code', async ({ skip }) => {
    const code = path.join(import.meta.dirname, '../../..')
    const sealed = `mount --bind ${code} ${code} && mount -o remount,ro,bind ${code} && exec setpriv --reuid 1 --regid 1 --clear-groups "$@"`
    const through = ['unshare', '-m', 'sh', '-c', sealed, 'sh']
    if (spawnSync(through[0] ?? '', [...through.slice(1), 'true']).status !== 0)
      skip('only root may make the code read-only')
    const place = folder()
    chmodSync(place, 0o711)
    const home = path.join(place, 'home')
    mkdirSync(home)
    chownSync(home, 1, 1)
    const server = run({ ATRIUM_DATA_DIR: path.join(home, 'data'), HOME: home }, through)
    const port = await portOf(server)
    await ready(server)
    expect(await statusOf(port, '/readyz')).toBe(200)
    expect(statSync(path.join(home, 'data/postgres')).uid).toBe(1)
  })
})

test('a node is recorded in the database only while it runs', async () => {
  const variables = await demo()
  const server = run(variables)
  await ready(server)
  const client = new pg.Client({ connectionString: variables.DATABASE_URL })
  await client.connect()
  const nodes = async () => (await client.query('select host, version from running_node')).rows
  await until(async () => (await nodes()).length === 1)
  server.child.kill('SIGTERM')
  expect(await server.exited).toBe(0)
  expect(await nodes()).toEqual([])
  await client.end()
})

describe('a shutdown', () => {
  test('fails the readiness check first and keeps serving requests meanwhile', async () => {
    const server = run({ ...(await demo()), ATRIUM_DRAIN_S: '600' })
    const port = await portOf(server)
    await ready(server)
    server.child.kill('SIGTERM')
    await until(async () => (await statusOf(port, '/readyz')) === 503)
    expect(await statusOf(port, '/healthz')).toBe(200)
    expect(await statusOf(port, '/portal-api/v1/home')).toBe(200)
    expect(server.child.exitCode).toBeNull()
    // SIGINT from a terminal stops immediately.
    server.child.kill('SIGINT')
    expect(await server.exited).toBe(0)
  })

  test('lets the requests in flight finish', async () => {
    const variables = await demo({ ATRIUM_DRAIN_S: '1' })
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
    'by SIGKILL during writes loses no acknowledged write',
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

  testEmbedded('by SIGKILL leaves a database process that the next start replaces', async () => {
    const dataDir = folder()
    const first = run({ ATRIUM_DATA_DIR: dataDir })
    await ready(first)
    const before = await postmasterOf(dataDir)
    first.child.kill('SIGKILL')
    await first.exited
    const second = run({ ATRIUM_DATA_DIR: dataDir })
    await ready(second)
    expect(await postmasterOf(dataDir)).not.toBe(before)
  })
})
