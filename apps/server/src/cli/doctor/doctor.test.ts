import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { recordNode } from '#platform/running-nodes.ts'
import { startClamd } from '../../../test/fake-clamd.ts'
import { startS3 } from '../../../test/fake-s3.ts'
import { freePort } from '../../../test/free-port.ts'
import { mailServer } from '../../../test/mail-server.ts'
import { ownDatabase, ownFolder } from '../../../test/own-database.ts'
import { hasPgbouncer, startPgbouncer } from '../../../test/pgbouncer.ts'
import { queueOf } from '../../../test/queue-of.ts'
import { hasRedis, startRedis } from '../../../test/redis.ts'
import { testSecret } from '../../../test/setup.ts'
import { testApp } from '../../../test/test-app.ts'

// Each command starts a process, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const files = ownFolder()
const { url, platform } = await testApp()
const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step()
})

/** Runs a command in a new process. */
async function atrium(args: string[], variables: Record<string, string>) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../../cli.ts'), ...args], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      DATABASE_URL: url,
      ATRIUM_DATA_DIR: files.folder,
      ATRIUM_SECRET: testSecret,
      ...variables,
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

/** Runs `npx atrium doctor`. `says` returns the lines of one check. */
async function doctor(variables: Record<string, string> = {}) {
  const { code, output } = await atrium(['doctor'], variables)
  const says = (check: string) =>
    output
      .split('\n')
      .filter((line) => line.slice(9, 22).trim() === check)
      .map((line) => `${line.slice(0, 8).trim()} ${line.slice(22)}`)
      .join('\n')
  return { code, output, says }
}

/** Records a running node with these settings; the environment of the command does not contain them. */
function runNode(settings: Record<string, string>) {
  const node = recordNode(platform, settings)
  cleanUp.push(node.stop)
  return vi.waitFor(async () => {
    const { rows } = await sql`select from running_node`.execute(platform.db)
    expect(rows.length).toBeGreaterThan(0)
  })
}

/** A web server with a self-signed certificate. */
async function webServer(days: number) {
  const [key, certificate] = [
    path.join(files.folder, 'key.pem'),
    path.join(files.folder, 'crt.pem'),
  ]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', String(days)],
      ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  )
  const server = https.createServer({ key: readFileSync(key), cert: readFileSync(certificate) })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp.push(() => server.close())
  const { port } = server.address() as AddressInfo
  return { address: `https://localhost:${port}`, certificate }
}

test('uses the settings of the running node and warns when no node is running', async () => {
  expect((await doctor()).says('nodes')).toMatch(/^warning no node is running/)
  const mail = await mailServer()
  const settings = {
    ATRIUM_MAIL_FROM: 'portal@example.edu',
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${mail.port}`,
  }
  const mailUrl = (password: string) => `smtp://portal:${password}@127.0.0.1:${mail.port}?tls=off`
  await runNode({ ...settings, ATRIUM_MAIL_URL: mailUrl('right') })
  const found = await doctor()
  expect(found.says('nodes')).toMatch(/^ok .+ running since/)
  expect(found.says('mail')).toMatch(/^ok the mail server answers/)
  const { rows } = await sql<{
    row: string
  }>`select running_node::text as row from running_node`.execute(platform.db)
  expect(rows[0]?.row).not.toContain('right')
  for (const step of cleanUp.splice(0)) await step()
  await runNode({ ...settings, ATRIUM_MAIL_URL: mailUrl('wrong') })
  const refused = await doctor()
  expect(refused.code).toBe(1)
  expect(refused.says('mail')).toMatch(/^failed ATRIUM_MAIL_URL: .*wrong password/)
  expect(refused.output).not.toContain('portal:wrong')
})

test('warns about settings that differ between nodes and ignores nodes that are gone', async () => {
  await runNode({ ATRIUM_HASH_THREADS: '2', PORT: '8081' })
  await runNode({ ATRIUM_HASH_THREADS: '3', PORT: '8082' })
  await vi.waitFor(async () => {
    const { rows } = await sql`select from running_node`.execute(platform.db)
    expect(rows).toHaveLength(2)
  })
  expect((await doctor()).says('nodes')).toMatch(/warning the nodes differ in ATRIUM_HASH_THREADS;/)
  await sql`update running_node set seen_at = now() - interval '5 minutes'`.execute(platform.db)
  expect((await doctor()).says('nodes')).toMatch(/^warning no node is running/)
})

test('reports a node that runs with another secret', async () => {
  await runNode({})
  await sql`update running_node set sealed_settings = 'x'`.execute(platform.db)
  expect((await doctor()).says('nodes')).toMatch(/^failed .* runs with another secret/)
})

describe('the certificate check', () => {
  test('fails if the host does not resolve and warns if it is unreachable', async () => {
    const nowhere = await doctor({ ATRIUM_PUBLIC_URL: 'https://atrium.invalid' })
    expect(nowhere.code).toBe(1)
    expect(nowhere.says('certificate')).toMatch(/^failed atrium.invalid does not resolve/)
    const silent = await doctor({ ATRIUM_PUBLIC_URL: `https://localhost:${await freePort()}` })
    expect(silent.says('certificate')).toMatch(/warning localhost cannot be reached/)
  })

  test('fails if it is not trusted, warns if it expires soon, and passes otherwise', async () => {
    const soon = await webServer(5)
    const untrusted = await doctor({ ATRIUM_PUBLIC_URL: soon.address })
    expect(untrusted.says('certificate')).toMatch(/^failed .* is not trusted/)
    const trusting = { ATRIUM_PUBLIC_URL: soon.address, NODE_EXTRA_CA_CERTS: soon.certificate }
    expect((await doctor(trusting)).says('certificate')).toMatch(
      /^warning .* trusted for [45] more days; renew/,
    )
    const well = await webServer(90)
    expect(
      (
        await doctor({ ATRIUM_PUBLIC_URL: well.address, NODE_EXTRA_CA_CERTS: well.certificate })
      ).says('certificate'),
    ).toMatch(/^ok .* trusted for (89|90) more days/)
  })
})

test('writes, reads and deletes a test object in the bucket', async () => {
  const s3 = await startS3()
  cleanUp.push(s3.stop)
  expect((await doctor(s3.variables)).says('bucket')).toMatch(/^ok .* can be written and read/)
  expect(s3.objects.size).toBe(0)
  const refused = await doctor({ ...s3.variables, ATRIUM_S3_KEY_SECRET: 'another-secret' })
  expect(refused.says('bucket')).toMatch(/^failed .* cannot be used/)
})

test('reports whether clamd responds', async () => {
  const clamd = await startClamd()
  expect((await doctor({ ATRIUM_CLAMD: clamd.address })).says('clamd')).toBe('ok clamd answers')
  await clamd.stop()
  expect((await doctor({ ATRIUM_CLAMD: clamd.address })).says('clamd')).toMatch(
    /^failed clamd does not answer/,
  )
})

test.skipIf(!hasRedis)('reports whether Redis responds', async () => {
  const redis = await startRedis()
  expect((await doctor({ REDIS_URL: redis.url })).says('redis')).toBe('ok answers')
  await redis.kill()
  expect((await doctor({ REDIS_URL: redis.url })).says('redis')).toMatch(/^failed REDIS_URL/)
})

test.skipIf(!hasPgbouncer)('reports a pooler in transaction mode', async () => {
  for (const [mode, says] of [
    ['session', /^ok a notification arrives/],
    ['transaction', /^failed a notification does not arrive/],
  ] as const) {
    const pooler = await startPgbouncer(url, mode)
    cleanUp.push(pooler.stop)
    expect((await doctor({ DATABASE_URL: pooler.url })).says('pooler'), mode).toMatch(says)
  }
})

test('reports the age of the newest backup', async () => {
  const own = await ownDatabase()
  const variables = { DATABASE_URL: own.url }
  const backup = async () => (await doctor(variables)).says('backup')
  expect(await backup()).toMatch(/^warning none was made/)
  const file = path.join(files.folder, 'a.backup')
  expect(await atrium(['backup', file], variables)).toMatchObject({ code: 0 })
  expect(await backup()).toMatch(/^ok the newest is from 20/)
  await own.db.transaction().execute(async (db) => {
    await sql`alter table audit_entry disable trigger user`.execute(db)
    await sql`update audit_entry set happened_at = happened_at - interval '9 days'`.execute(db)
  })
  expect(await backup()).toMatch(/^warning the newest is from 20.*, 9 days ago/)
})

test('reports jobs that failed permanently', async () => {
  expect((await doctor()).says('jobs')).toBe('ok no job failed permanently')
  const boss = await queueOf(url)
  await boss.createQueue('import-feed')
  const id = await boss.send('import-feed', {}, { retryLimit: 0 })
  await boss.fetch('import-feed')
  await boss.fail('import-feed', id ?? '', { message: 'no such host' })
  expect((await doctor()).says('jobs')).toMatch(
    /^warning 1 failed permanently \(import-feed\); the last error: no such host/,
  )
})
