import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { identity } from '@atrium/contract/identity'
import { expect, test, vi } from 'vitest'
import { ownFolder } from '../test/own-database.ts'
import { testSecret } from '../test/setup.ts'
import { testApp } from '../test/test-app.ts'

// Each command is a process of its own, on machines that do other things too.
vi.setConfig({ testTimeout: 120_000 })

const files = ownFolder()
const { url, platform, visitor, as, tokenOf } = await testApp()

function start(args: string[], variables: Record<string, string> = {}) {
  return spawn(process.execPath, [path.join(import.meta.dirname, 'cli.ts'), ...args], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      ATRIUM_DATA_DIR: files.folder,
      ATRIUM_SECRET: testSecret,
      ATRIUM_DEMO: '',
      ...variables,
    },
    stdio: 'pipe',
  })
}
async function atrium(args: string[], input = '', variables: Record<string, string> = {}) {
  const child = start(args, variables)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}

test('help has examples; wrong usage exits with 2, what cannot be done with 1 and one sentence', async () => {
  expect(await atrium(['import', 'members', '--help'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('npx atrium import members members.csv --dry-run'),
  })
  expect(await atrium(['import', 'nothing'])).toMatchObject({
    code: 2,
    output: expect.stringContaining('npx atrium import --help'),
  })
  expect(await atrium(['import', 'members'])).toMatchObject({ code: 2 })
  expect(await atrium(['import', 'members', 'no.csv'])).toEqual({
    code: 1,
    output: 'There is no file no.csv.\n',
  })
  expect(await atrium(['config', 'get'], '', { PORT: 'x' })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^PORT must be a whole number/),
  })
  expect(await atrium(['migrate'], '', { DATABASE_URL: 'postgres://127.0.0.1:1/x' })).toMatchObject(
    {
      code: 1,
      output: expect.stringMatching(/^The database cannot be reached .* Check DATABASE_URL/),
    },
  )
})

test('an account is made, gets a password, signs in, and is signed out everywhere', async () => {
  expect(
    (
      await atrium([
        'user',
        'create',
        'cli.user',
        '--name',
        '新同事',
        '--identity',
        'no',
        '--organization',
        'CS',
      ])
    ).output,
  ).toMatch(/^There is no identity type no. There are: S01/)
  expect(
    await atrium([
      'user',
      'create',
      'cli.user',
      '--name',
      '新同事',
      '--identity',
      'T01',
      '--organization',
      'CS',
    ]),
  ).toMatchObject({ code: 0 })
  expect(
    (
      await atrium([
        'user',
        'create',
        'CLI.user',
        '--name',
        '新同事',
        '--identity',
        'T01',
        '--organization',
        'CS',
      ])
    ).output,
  ).toBe('There is an account cli.user already.\n')
  const signIn = (password: string) =>
    visitor(identity.passwordLogin, { body: { username: 'cli.user', password } })
  expect((await signIn('')).status).not.toBe(200)
  for (const [password, sentence] of [
    ['short', 'at least 8'],
    ['password123', 'tried first'],
    ['my-cli.user-9', 'contain your username'],
  ] as const) {
    expect(
      await atrium(['user', 'password', 'cli.user', '--stdin'], `${password}\n`),
    ).toMatchObject({ code: 1, output: expect.stringContaining(sentence) })
  }
  expect(
    await atrium(['user', 'password', 'cli.user', '--stdin'], 'green-lamp-42\n'),
  ).toMatchObject({ code: 0, output: expect.stringContaining('changed at the next sign-in') })
  expect((await signIn('green-lamp-42')).data).toMatchObject({ due: 'passwordChange' })
  await atrium(['user', 'password', 'cli.user', '--stdin', '--keep'], 'green-lamp-42\n')
  expect((await signIn('green-lamp-42')).data).toHaveProperty('idToken')
  // The portal's and the central login's.
  expect((await atrium(['user', 'revoke', 'cli.user'])).output).toBe(
    'cli.user: 2 sessions ended.\n',
  )
  expect((await atrium(['user', 'revoke', 'cli.user'])).output).toBe(
    'cli.user: 0 sessions ended.\n',
  )
})

test('an account becomes an operator, and ceases to be one, in the middle of a session', async () => {
  const staff = await tokenOf('staff')
  const permissionsNow = async () => {
    await platform.topics.settled()
    const viewer = await platform.guard.viewerOf(staff)
    return viewer.signedIn && [...viewer.permissions].sort()
  }
  expect(await permissionsNow()).toEqual([])
  expect(await atrium(['user', 'grant', 'staff', 'system', 'content'])).toEqual({
    code: 0,
    output: 'staff has got: system, content.\n',
  })
  expect(await permissionsNow()).toEqual(['content', 'system'])
  expect((await atrium(['user', 'grant', 'staff', 'content'])).output).toBe(
    'staff had these permissions before.\n',
  )
  expect((await atrium(['user', 'revoke-grant', 'staff', 'system'])).output).toBe(
    'staff no longer has: system.\n',
  )
  expect(await permissionsNow()).toEqual(['content'])
  expect((await atrium(['user', 'revoke-grant', 'staff'])).output).toBe(
    'staff no longer has: content.\n',
  )
  expect((await atrium(['user', 'revoke-grant', 'staff'])).output).toBe(
    'staff had none of these permissions.\n',
  )
  expect(await permissionsNow()).toEqual([])
  expect(await atrium(['user', 'grant', 'staff', 'everything'])).toEqual({
    code: 1,
    output:
      'There is no permission everything. There are: content, services, messages, identity, system.\n',
  })
  expect((await atrium(['user', 'grant', 'nobody', 'content'])).output).toBe(
    'There is no account nobody.\n',
  )
  expect(await atrium(['user', 'grant', 'staff'])).toMatchObject({ code: 2 })
  expect((await atrium(['user', 'grant', '--help'])).output).toContain('configuration and tabs')
})

test('configuration is checked before it is kept, and running servers hear of it', async () => {
  expect(await atrium(['config', 'set', 'timeZone', 'Mars'])).toEqual({
    code: 1,
    output: 'timeZone must be a time zone such as Asia/Shanghai. Nothing was changed.\n',
  })
  expect(
    (await atrium(['config', 'set', 'footTabs', '[{"pagePath":"/pages/tab/my/my","text":5}]']))
      .output,
  ).toBe('footTabs.0.text has the wrong type or format. Nothing was changed.\n')
  expect((await atrium(['config', 'get', 'Zone'])).output).toContain('Did you mean timeZone?')
  const before = platform.topics.stamp(['config'])
  expect(await atrium(['config', 'set', 'schoolName', '江岚大学'])).toMatchObject({ code: 0 })
  expect((await atrium(['config', 'get', 'schoolName'])).output).toBe('江岚大学\n')
  await expect.poll(() => platform.topics.stamp(['config'])).toBeGreaterThan(before)
})

test('faults stand on standard error with file and row, and the exit code says so', async () => {
  const file = files.write(
    'mixed.csv',
    '学号,姓名,身份代码,部门代码\ncli1,甲,S01,CS\ncli2,,S01,CS\n',
  )
  expect(await atrium(['import', 'members', file, '--dry-run'])).toMatchObject({
    code: 1,
    output: expect.stringContaining(`${file}:3: name is empty`),
  })
  expect((await atrium(['import', 'members', file])).output).toContain(
    '2 read, 1 added, 0 changed, 0 unchanged, 1 left out',
  )
})

test('a service that was imported shows in the portal at once', async () => {
  const file = files.write(
    'services.csv',
    'serviceNo,name,typeCode,url\ncli-service,命令行服务,study,https://cli.example.edu/\n',
  )
  expect(await atrium(['import', 'services', file])).toMatchObject({ code: 0 })
  const { services } = await import('@atrium/contract/services')
  const student = await as('student')
  await expect
    .poll(async () => (await student(services.list, { query: { keyWords: '命令行' } })).data.total)
    .toBe(1)
})

test('an import that is killed in the middle leaves nothing', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `killed${index},成员,S01,CS`)
  const file = files.write(
    'many.csv',
    `username,name,identityType,organizationCode\n${rows.join('\n')}\n`,
  )
  const child = start(['import', 'members', file])
  // Once it has begun to write.
  const busy = async () => {
    const found = await platform.pool.query(
      "select 1 from pg_locks where locktype = 'advisory' and classid = 7301 and objid = 2",
    )
    return found.rowCount ?? 0
  }
  await expect.poll(busy, { timeout: 10_000, interval: 20 }).toBeGreaterThan(0)
  await wait(200)
  child.kill('SIGKILL')
  await once(child, 'close')
  await expect.poll(busy, { timeout: 10_000 }).toBe(0)
  const left = await platform.db
    .selectFrom('account')
    .select('id')
    .where('username', 'like', 'killed%')
    .execute()
  expect(left).toEqual([])
})

test('the doctor finds what is wrong and says what to do', async () => {
  expect(await atrium(['doctor'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/ok {7}database {5}PostgreSQL/),
  })
  const wrong = await atrium(['doctor'], '', { ATRIUM_SECRET: 'x'.repeat(40) })
  expect(wrong).toMatchObject({
    code: 1,
    output: expect.stringMatching(/failed {3}secret .*does not open the signing keys/),
  })
})

test('the demo is reset, and only a demo', async () => {
  const reset = await atrium(['demo', 'reset'])
  expect(reset).toMatchObject({ code: 0 })
  expect(
    await platform.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'cli.user')
      .execute(),
  ).toEqual([])
  await platform.db.updateTable('installation').set({ demo: false }).execute()
  expect(await atrium(['demo', 'reset'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('does not hold the demo institution'),
  })
  rmSync(path.join(files.folder, 'files'), { recursive: true, force: true })
})
