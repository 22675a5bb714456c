import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts'
import {
  clean,
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

const runningIn = async (dataDir: string) => (await findRunningPostgres(dataDir)) ?? ''

describe('a lost database connection', () => {
  /** A proxy between the server and its database that can be disconnected. */
  async function cable(url: string, cutAt?: string) {
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
          near.on('data', (bytes) => {
            if (cutAt && bytes.includes(cutAt)) unplug()
          })
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
    const neverCut = () => {
      cutAt = undefined
    }
    return { plugIn, unplug, neverCut }
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

  const through = (url: string, port: number) => {
    const { username, pathname } = new URL(url)
    return `postgres://${username || 'atrium'}@127.0.0.1:${port}${pathname}`
  }

  test('right after startup does not end the server, and jobs start once it is back', async () => {
    const variables = await demo({ ATRIUM_JOBS: 'on' })
    const wire = await cable(variables.DATABASE_URL, 'atrium-jobs')
    const wirePort = await wire.plugIn()
    const server = run({ ...variables, DATABASE_URL: through(variables.DATABASE_URL, wirePort) })
    await ready(server)
    await until(() => server.output().includes('the job queue waits for the database'))
    expect(server.child.exitCode).toBeNull()

    wire.neverCut()
    await wire.plugIn(wirePort)
    const client = new pg.Client({ connectionString: variables.DATABASE_URL })
    clean.push(() => client.end())
    await client.connect()
    const scheduled = () =>
      client
        .query("select from pgboss.schedule where name = 'events-partitions'")
        .then(({ rowCount }) => rowCount === 1)
        .catch(() => false)
    await until(scheduled)
    expect(server.child.exitCode).toBeNull()
  }, 240_000)

  test('at startup or later makes the server not ready until it is back', async () => {
    const variables = await demo()
    const wire = await cable(variables.DATABASE_URL)
    const wirePort = await wire.plugIn()
    wire.unplug()
    const server = run({ ...variables, DATABASE_URL: through(variables.DATABASE_URL, wirePort) })
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

describe('a read-only database', () => {
  test('keeps the server ready for reads and rejects writes with 503', async () => {
    const variables = await demo()
    const server = run(variables)
    const port = await portOf(server)
    await ready(server)
    const admin = new pg.Client({
      connectionString: variables.DATABASE_URL,
      options: '-c default_transaction_read_only=off',
    })
    await admin.connect()
    clean.push(() => admin.end())
    const name = admin.escapeIdentifier(new URL(variables.DATABASE_URL).pathname.slice(1))
    /** As in a failover: connections end, and the next ones reach another server. */
    async function takesChanges(yes: boolean) {
      const state = yes ? 'off' : 'on'
      await admin.query(`alter database ${name} set default_transaction_read_only = ${state}`)
      await admin.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      )
    }
    const readiness = async () =>
      ((await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()) as { status: string }).status
    const signIn = () =>
      fetch(`http://127.0.0.1:${port}/token/password/passwordLogin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'student', password: demoPassword }),
      })
    const { data } = (await (await signIn()).json()) as { data: { idToken: string } }
    await takesChanges(false)
    await until(async () => (await readiness()) === 'read-only')
    expect(await statusOf(port, '/readyz')).toBe(200)
    expect(await statusOf(port, '/readyz?for=writes')).toBe(503)
    const headers = { 'x-id-token': data.idToken }
    for (const address of ['home', 'service/list?pageSize=5', 'service/types'])
      expect
        .soft(
          (await fetch(`http://127.0.0.1:${port}/portal-api/v1/${address}`, { headers })).status,
        )
        .toBe(200)
    const refused = await signIn()
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({ error: 'server.read_only' })
    await until(() => server.output().includes('The database takes no changes'))

    await takesChanges(true)
    await until(async () => (await readiness()) === 'ready')
    await until(async () => (await signIn()).status === 200)
  }, 240_000)
})

describe('the embedded database', () => {
  const signIn = (port: string) =>
    fetch(`http://127.0.0.1:${port}/token/password/passwordLogin`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'student', password: demoPassword }),
    }).then(
      (response) => response.status,
      () => 0,
    )

  testEmbedded(
    'restarts after being killed, repeatedly, and after losing a backend process',
    async () => {
      const dataDir = folder()
      const variables = { ATRIUM_DEMO: '1', ATRIUM_DATA_DIR: dataDir, ATRIUM_JOBS: 'on' }
      const server = run(variables)
      const port = await portOf(server)
      await ready(server)
      for (let time = 0; time < 4; time++) {
        const before = await postmasterOf(dataDir)
        process.kill(before, 'SIGKILL')
        await until(
          () => server.output().split('the embedded database runs again').length === time + 2,
        )
        await until(async () => (await signIn(port)) === 200)
        expect(await postmasterOf(dataDir)).not.toBe(before)
      }
      await until(() => server.output().includes('ended by itself (SIGKILL) and is started again'))

      const client = new pg.Client({ connectionString: await runningIn(dataDir) })
      await client.connect()
      client.on('error', () => {})
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      const lost = new Promise((resolve) => client.once('end', resolve))
      process.kill(rows[0]?.pid ?? 0, 'SIGKILL')
      await lost
      await until(async () => (await signIn(port)) === 200)
      expect(await statusOf(port, '/readyz')).toBe(200)
      expect(server.child.exitCode).toBeNull()
    },
    240_000,
  )

  testEmbedded(
    'ends the server with exit code 3 if it cannot be restarted',
    async () => {
      const dataDir = folder()
      const server = run({ ATRIUM_DATA_DIR: dataDir })
      await ready(server)
      const postmaster = await postmasterOf(dataDir)
      rmSync(path.join(dataDir, 'postgres/global/pg_control'))
      process.kill(postmaster, 'SIGKILL')
      expect(await server.exited).toBe(3)
      await until(() => /cannot be started again: .* did not start/.test(server.output()))
    },
    240_000,
  )
})

describe('a full disk', () => {
  /** A separate disk; only root can create one, and not everywhere. */
  function disk(megabytes: number) {
    const place = folder()
    const made = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place])
    if (made.status === 0) clean.push(() => spawnSync('umount', ['-l', place]))
    return made.status === 0 ? place : undefined
  }

  testEmbedded(
    'is logged, rejects writes with 507 and recovers when space is free again',
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

      // Rows still fit into the space the database has reserved, but not for long.
      spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1M'])
      await until(async () => (await signIn()) === 507, 60)
      await until(() =>
        first.output().includes('The disk of the database or of the data folder is full'),
      )
      expect(await statusOf(port, '/portal-api/v1/home')).toBe(200)

      // Fill the disk until the WAL has no room either: then the database ends and cannot start.
      const client = new pg.Client({ connectionString: await runningIn(dataDir) })
      client.on('error', () => {})
      await client.connect()
      const ended = new Promise((resolve) => client.once('end', () => resolve(true)))
      const write = client.query(
        "select pg_logical_emit_message(false, 'filling', repeat('x', 8000000)) from generate_series(1, 200)",
      )
      await Promise.all([ended, write.catch(() => {})])
      await until(() => first.output().includes('the embedded database ended by itself'))
      await until(() => first.output().includes('There is no room left where'))

      rmSync(filling)
      await until(async () => (await signIn()) === 200)
      expect(await statusOf(port, '/readyz')).toBe(200)
      spawnSync('dd', ['if=/dev/zero', `of=${filling}`, 'bs=1M'])
      first.child.kill('SIGTERM')
      await first.exited
      // It may fail before starting its database; otherwise it waits for space.
      const again = run(variables)
      const refused = await Promise.race([
        again.exited,
        until(() => /cannot be used now .*No space left/.test(again.output())).then(() => null),
      ])
      if (refused !== null) {
        expect(refused).toBe(1)
        expect(again.output()).toMatch(/There is no room left where .* Free some space/)
      }

      rmSync(filling)
      await ready(refused === null ? again : run(variables))
    },
    400_000,
  )
})
