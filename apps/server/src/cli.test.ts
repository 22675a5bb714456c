import { once } from 'node:events'
import { readFileSync, rmSync, statSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { identity } from '@atrium/contract/identity/identity'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { Secret, TOTP } from 'otpauth'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { presets } from '#domains/identity/directory/presets.ts'
import { saveDirectory } from '#domains/identity/directory/queries.ts'
import { openCommand } from '../test/command.ts'
import { ownDatabase, ownFolder } from '../test/own-database.ts'
import { hasSlapd, person, reader, startSlapd, suffix } from '../test/slapd.ts'
import { testApp } from '../test/test-app.ts'

// Each command is a process of its own, possibly on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const files = ownFolder()
const { url, platform, visitor, as, tokenOf } = await testApp()
const [one, other] = [
  await ownDatabase({ migrated: false }),
  await ownDatabase({ migrated: false }),
]

const { start, atrium } = openCommand(url, files.folder)

test('help shows examples; wrong usage exits with 2, a failure with 1 and one sentence', async () => {
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

test('user creates an account, sets its password and ends its sessions', async () => {
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
  ).toBe('The account cli.user already exists.\n')
  const signIn = (password: string) =>
    visitor(identity.passwordLogin, { body: { username: 'cli.user', password } })
  expect((await signIn('')).status).not.toBe(200)
  for (const [password, sentence] of [
    ['short', 'at least 8'],
    ['password123', 'a common password'],
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
  // One of the portal, one of the central login.
  expect((await atrium(['user', 'revoke', 'cli.user'])).output).toBe(
    'cli.user: 2 sessions ended.\n',
  )
  expect((await atrium(['user', 'revoke', 'cli.user'])).output).toBe(
    'cli.user: 0 sessions ended.\n',
  )
})

const entriesIn = async (url: string) => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(
    'select channel, action, details::json as details, outcome from audit_entry order by id',
  )
  await client.end()
  return rows as { channel: string; action: string; details: unknown; outcome: string }[]
}

test('user reset-factors removes all second factors, notifies the member and is audited', async () => {
  const { secondFactor } = await import('@atrium/contract/identity/second-factor')
  const student = await as('student')
  const { data } = await student(secondFactor.beginTotp)
  const code = new TOTP({ secret: Secret.fromBase32(data.secret) }).generate()
  const { enrolment } = data
  expect((await student(secondFactor.addTotp, { body: { enrolment, code } })).status).toBe(200)
  await platform.db.deleteFrom('outbox').execute()
  expect(await atrium(['user', 'reset-factors', 'student'])).toEqual({
    code: 0,
    output: 'student signs in without a second factor now. Removed: totp, recovery.\n',
  })
  expect((await student(secondFactor.read)).data).toMatchObject({
    totp: null,
    recoveryCodesLeft: 0,
  })
  const told = await platform.db.selectFrom('outbox').select(['recipient', 'body']).execute()
  expect(told).toEqual([
    {
      recipient: 'lin.zhixia@stu.jianglan.example',
      body: expect.stringContaining('管理员已清除全部两步验证方式'),
    },
  ])
  expect((await entriesIn(url)).at(-1)).toEqual({
    channel: 'cli',
    action: 'user reset-factors',
    details: { arguments: ['student'], options: {} },
    outcome: 'ok',
  })
  expect((await atrium(['user', 'reset-factors', 'student'])).output).toBe(
    'student had no second factor.\n',
  )
  expect(await atrium(['user', 'reset-factors', 'nobody'])).toMatchObject({ code: 1 })
})

test('user contact replaces a mobile number and notifies the previous contacts', async () => {
  await platform.db.deleteFrom('outbox').execute()
  expect(await atrium(['user', 'contact', 'teacher'])).toMatchObject({
    code: 1,
    output: 'Give --mobile, --email, or both.\n',
  })
  expect(await atrium(['user', 'contact', 'teacher', '--mobile', 'x'])).toMatchObject({ code: 1 })
  expect(await atrium(['user', 'contact', 'teacher', '--mobile', '13900000222'])).toEqual({
    code: 0,
    output: 'teacher has a new mobile now.\n',
  })
  const person = await platform.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['mobile', 'email', 'mobile_verified_at as verifiedAt'])
    .where('username', '=', 'teacher')
    .executeTakeFirst()
  expect(person).toEqual({
    mobile: '13900000222',
    email: 'zhou.mingyuan@jianglan.example',
    verifiedAt: null,
  })
  const told = await platform.db.selectFrom('outbox').select('recipient').orderBy('kind').execute()
  expect(told.map(({ recipient }) => recipient)).toEqual([
    'zhou.mingyuan@jianglan.example',
    '13800000002',
  ])
})

test('migrate, backup and restore are recorded in the audit log of the database', async () => {
  const actionsIn = async (url: string) => (await entriesIn(url)).map(({ action }) => action)
  const at = (url: string) => ({ DATABASE_URL: url })
  expect(await atrium(['migrate'], '', at(one.url))).toMatchObject({ code: 0 })
  expect(await atrium(['migrate'], '', at(one.url))).toMatchObject({
    output: 'The database is up to date.\n',
  })
  expect(await actionsIn(one.url)).toEqual(['migrate'])
  const file = path.join(files.folder, 'whole.backup')
  expect(await atrium(['backup', file], '', at(one.url))).toMatchObject({ code: 0 })
  expect(await entriesIn(one.url)).toMatchObject([
    { channel: 'cli', action: 'migrate' },
    { channel: 'cli', action: 'backup', details: { arguments: [file] } },
  ])
  expect(await atrium(['restore', file], '', at(other.url))).toMatchObject({ code: 0 })
  expect(await actionsIn(other.url)).toEqual(['migrate', 'restore'])
  expect(await atrium(['audit', 'verify'], '', at(other.url))).toMatchObject({
    code: 0,
    output: expect.stringContaining('The audit log is intact: 2 entries'),
  })
})

test('user grant and revoke-grant change permissions during a session', async () => {
  const staff = await tokenOf('staff')
  const permissionsNow = async () => {
    await platform.topics.flushed()
    const viewer = await platform.guard.viewerOf(staff)
    return viewer.signedIn && [...viewer.permissions].sort()
  }
  expect(await permissionsNow()).toEqual([])
  expect(await atrium(['user', 'grant', 'staff', 'system', 'content'])).toEqual({
    code: 0,
    output: 'staff now has: system, content.\n',
  })
  expect(await permissionsNow()).toEqual(['content', 'system'])
  expect((await atrium(['user', 'grant', 'staff', 'content'])).output).toBe(
    'staff already had these permissions.\n',
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
      'There is no permission everything. There are: content, services, messages, send, identity, system.\n',
  })
  expect((await atrium(['user', 'grant', 'nobody', 'content'])).output).toBe(
    'There is no account nobody.\n',
  )
  expect(await atrium(['user', 'grant', 'staff'])).toMatchObject({ code: 2 })
  expect((await atrium(['user', 'grant', '--help'])).output).toContain('configuration and tabs')
})

test('config set rejects invalid values and notifies running servers', async () => {
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

test('import reports issues with file and row on stderr and exits with 3', async () => {
  const file = files.write(
    'mixed.csv',
    '学号,姓名,身份代码,部门代码\ncli1,甲,S01,CS\ncli2,,S01,CS\n',
  )
  expect(await atrium(['import', 'members', file, '--dry-run'])).toMatchObject({
    code: 3,
    output: expect.stringContaining(`${file}:3: name is empty`),
  })
  // Issues go to stderr, the summary to stdout.
  const child = start(['import', 'members', file, '--dry-run'])
  child.stdin.end()
  const [printed, issues] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(issues).toContain(`${file}:3: name is empty`)
  expect(printed).not.toContain('name is empty')
  expect(printed).toContain('2 read, 1 added')
  // Nothing was written.
  expect(await atrium(['import', 'members', file, '--strict'])).toMatchObject({ code: 1 })
  expect(await atrium(['import', 'members', file])).toMatchObject({
    code: 3,
    output: expect.stringContaining('2 read, 1 added, 0 changed, 0 unchanged, 1 left out'),
  })
})

test('import accepts column names and the encoding as options', async () => {
  const file = files.write(
    'other.csv',
    Buffer.concat([
      Buffer.from('ID,Who,identityType,organizationCode\ncli3,'),
      // 歐陽 in Big5.
      Buffer.from('bcdab6a7', 'hex'),
      Buffer.from(',S01,CS\n'),
    ]),
  )
  const map = ['--map', 'ID=username', '--map', 'Who=name']
  expect(await atrium(['import', 'members', file, ...map])).toMatchObject({
    code: 1,
    output: expect.stringContaining('Set it with --encoding'),
  })
  expect(
    await atrium(['import', 'members', file, ...map, '--encoding', 'big5', '--wait']),
  ).toMatchObject({ code: 0, output: expect.stringContaining('1 added') })
  expect(await atrium(['import', 'members', file, '--map', 'ID'])).toMatchObject({ code: 2 })
  const help = await atrium(['import', '--help'])
  for (const word of ['--map', '--encoding', '--wait', '.xlsx', '3 done, but'])
    expect(help.output).toContain(word)
})

test('an imported service is visible in the portal immediately', async () => {
  const file = files.write(
    'services.csv',
    'serviceNo,name,typeCode,url\ncli-service,命令行服务,study,https://cli.example.edu/\n',
  )
  expect(await atrium(['import', 'services', file])).toMatchObject({ code: 0 })
  const { services } = await import('@atrium/contract/services/services')
  const student = await as('student')
  await expect
    .poll(async () => (await student(services.list, { query: { keyWords: '命令行' } })).data.total)
    .toBe(1)
})

test('an import that is killed leaves no rows behind', async () => {
  const rows = Array.from({ length: 30_000 }, (_, index) => `killed${index},成员,S01,CS`)
  const file = files.write(
    'many.csv',
    `username,name,identityType,organizationCode\n${rows.join('\n')}\n`,
  )
  const child = start(['import', 'members', file])
  // Wait until it has begun to write.
  const busy = async () => {
    const found = await platform.pool.query(
      "select 1 from pg_locks where locktype = 'advisory' and classid = 7301 and objid = 2",
    )
    return found.rowCount ?? 0
  }
  await expect.poll(busy, { interval: 20 }).toBeGreaterThan(0)
  await wait(200)
  child.kill('SIGKILL')
  await once(child, 'close')
  await expect.poll(busy).toBe(0)
  const left = await platform.db
    .selectFrom('account')
    .select('id')
    .where('username', 'like', 'killed%')
    .execute()
  expect(left).toEqual([])
})

test('doctor reports a wrong secret and an unreachable directory', async () => {
  expect(await atrium(['doctor'])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/ok {7}database {5}PostgreSQL/),
  })
  const wrong = await atrium(['doctor'], '', { ATRIUM_SECRET: 'x'.repeat(40) })
  expect(wrong).toMatchObject({
    code: 1,
    output: expect.stringMatching(/failed {3}secret .*does not decrypt the signing keys/),
  })
  const settings = { ...presets.openldap, servers: ['ldaps://127.0.0.1:1'] }
  await saveDirectory(platform.db, 'away', settings, undefined)
  expect(await atrium(['doctor'])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/failed {3}directories {2}away: \w+ at ldaps:\/\/127\.0\.0\.1:1/),
  })
  await platform.db.deleteFrom('directory').execute()
})

test('demo reset works only on the demo institution', async () => {
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

test('export writes a file only its owner can read, never overwrites one and is audited', async () => {
  const file = path.join(files.folder, 'members-out.csv')
  expect(await atrium(['export', 'members', file])).toEqual({ code: 0, output: '' })
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const text = readFileSync(file, 'utf8')
  expect(text.split('\r\n')[0]).toBe(
    '\uFEFFusername,name,nameEn,identityType,organizationCode,mobile,email,groups,status,personKey',
  )
  expect(text).toContain('\r\nstudent,')
  expect(await atrium(['export', 'members', file])).toEqual({
    code: 1,
    output: `The file ${file} already exists.\n`,
  })
  const { output } = await atrium(['export', 'organisations'])
  expect(output).toContain('\r\nJLU,江岚大学,Jianglan University,,')
  const logged = await platform.db
    .selectFrom('audit_entry')
    .select('outcome')
    .where('action', '=', 'export members')
    .execute()
  expect(logged).toContainEqual({ outcome: 'ok' })
})

test('a directory is created and removed; test and import need ATRIUM_OUTBOUND_ALLOW', async () => {
  const preset = JSON.parse((await atrium(['directory', 'preset', 'openldap'])).output)
  preset.members.identities = { '*': 'S01' }
  preset.servers = ['ldap://127.0.0.1:1']
  const file = files.write('main.json', JSON.stringify(preset))
  const set = (name: string) =>
    atrium(['directory', 'set', 'main', name, '--stdin'], 'the reader’s own password')
  expect(await set(file)).toEqual({
    code: 0,
    output: 'The directory main was created. Test it: npx atrium directory test main\n',
  })
  expect((await atrium(['directory', 'list'])).output).toContain('ldap://127.0.0.1:1')
  expect(await atrium(['directory', 'test', 'main'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW'),
  })
  expect(await atrium(['directory', 'import', 'main'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('ATRIUM_OUTBOUND_ALLOW'),
  })
  expect(await atrium(['directory', 'import', 'main', '--confirm', '1'])).toMatchObject({
    code: 1,
    output: 'Import 1 is not waiting for a confirmation.\n',
  })
  preset.schedule = '99 * * * *'
  expect(await set(files.write('bad.json', JSON.stringify(preset)))).toMatchObject({
    code: 1,
    output: expect.stringContaining('schedule has the wrong format'),
  })
  expect((await set(files.write('none.json', '{}'))).output).toContain(
    'Start from npx atrium directory preset openldap.',
  )
  expect((await atrium(['directory', 'remove', 'main'])).output).toBe(
    'The directory main was removed.\n',
  )
  expect((await atrium(['directory', 'test', 'main'])).output).toContain(
    'There is no directory main.',
  )
})

test.skipIf(!hasSlapd)(
  'a directory is tested and imported, as a dry run without changes',
  async () => {
    const slapd = await startSlapd()
    const base = `ou=people,${suffix}`
    await slapd.add(base, { objectClass: 'organizationalUnit', ou: 'people' })
    for (const uid of ['cli-amy', 'cli-bob']) await slapd.add(`uid=${uid},${base}`, person(uid))
    const settings = {
      ...presets.openldap,
      ...{ servers: [slapd.url], startTls: true, ca: slapd.ca, bindDn: reader.dn, schedule: '' },
      ...{ organizations: null, groups: null },
      members: {
        ...presets.openldap.members,
        ...{ base, identities: { '*': 'S01' }, organizationElse: 'CS' },
      },
    }
    const allow = { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${slapd.port}` }
    const directory = (...args: string[]) => atrium(['directory', ...args], reader.password, allow)
    const imported = async () => {
      const found = platform.db.selectFrom('account').select('username')
      const rows = await found.where('username', 'like', 'cli-%').orderBy('username').execute()
      return rows.map(({ username }) => username)
    }
    try {
      const file = files.write('openldap.json', JSON.stringify(settings))
      expect(await directory('set', 'campus', file, '--stdin')).toMatchObject({ code: 0 })
      const tested = await directory('test', 'campus', 'cli-amy')
      expect(tested).toMatchObject({ code: 0, output: expect.stringContaining('cli-amy') })
      const dry = await directory('import', 'campus', '--dry-run')
      expect(dry.output).toContain('members: 2 added, 0 changed, 0 unchanged, 0 refused')
      expect(dry.output).toContain('Nothing was written: this was a dry run.')
      expect(await imported()).toEqual([])
      const real = await directory('import', 'campus')
      expect(real).toMatchObject({
        code: 0,
        output: expect.stringContaining('members: 2 added, 0 changed, 0 unchanged, 0 refused'),
      })
      expect(await imported()).toEqual(['cli-amy', 'cli-bob'])
      expect((await directory('import', 'campus')).output).toContain('2 unchanged')
    } finally {
      await directory('remove', 'campus')
      await slapd.stop()
    }
  },
)

test('relying-party creates, changes, shows and removes a system and names invalid fields', async () => {
  const set = (...args: string[]) =>
    atrium(['relying-party', 'set', 'reading-room', ...args], '', {
      ATRIUM_PUBLIC_URL: 'https://m.example.edu',
    })
  const wrong = await set('--name', '阅览室', '--address', 'http://localhost:4200/')
  expect(wrong).toMatchObject({
    code: 1,
    output: expect.stringContaining('addresses.0 must begin with https://'),
  })
  for (const args of [['--disable'], ['--logout', 'https://room.example.edu/logout']])
    expect(await set(...args)).toEqual({
      code: 1,
      output:
        'reading-room is not in the registry. A new one needs --service, or --name with --address, --redirect-uri or --integration.\n',
    })
  const made = await set('--name', '阅览室', '--address', 'https://room.example.edu', '--consent')
  expect(made).toEqual({ code: 0, output: 'reading-room was created.\n' })
  const changed = await set('--attribute', 'name', 'email', '--purpose', '预约提醒', '--disable')
  expect(changed).toEqual({ code: 0, output: 'reading-room was changed.\n' })
  const shown = await atrium(['relying-party', 'show', 'reading-room'])
  expect(JSON.parse(shown.output)).toMatchObject({
    name: '阅览室',
    addresses: ['https://room.example.edu/'],
    attributes: ['name', 'email'],
    consentNeeded: true,
    enabled: false,
  })
  expect((await set('--attribute', 'password')).output).toContain('There is no attribute password')
  const secret = await atrium(['relying-party', 'secret', 'reading-room'])
  expect(secret.output).toMatch(/^[\w-]{43}\n$/)
  const callback = 'https://room.example.edu/callback'
  expect((await set('--address', '', '--redirect-uri', callback)).code).toBe(0)
  const listed = await atrium(['relying-party', 'list'])
  expect(listed.output).toMatch(
    /^reading-room \(off\) .*\n {4}https:\/\/room.example.edu\/callback\n/m,
  )
  expect((await atrium(['relying-party', 'remove', 'reading-room'])).code).toBe(0)
  expect(await atrium(['relying-party', 'show', 'reading-room'])).toMatchObject({
    code: 1,
    output: expect.stringContaining('service is not registered'),
  })
  const { rows } = await sql<{ text: string }>`
    select string_agg(details || action, ' ') as text from audit_entry where action like 'relying-party%'`.execute(
    platform.db,
  )
  expect(rows[0]?.text).toContain('relying-party secret')
  expect(rows[0]?.text).not.toContain(secret.output.trim())
})

test('verify reports an invalid response; exported services import without changes', async () => {
  const asked: (string | undefined)[] = []
  const server = http.createServer((request, response) => {
    asked.push(request.headers['x-id-token'] as string | undefined)
    response.setHeader('content-type', 'text/html').end('<html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const base = `http://127.0.0.1:${port}`
  const allow = { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${port}` }
  try {
    const closed = await atrium(['config', 'set', 'cmsBase', base])
    expect(closed).toMatchObject({ code: 1, output: expect.stringContaining('closed to outgoing') })
    const verified = await atrium(['verify', 'cms', '--base', base, '--as', 'student'], '', allow)
    expect(verified.code).toBe(1)
    expect(verified.output).toContain('FAILED answer: answers with the type text/html')
    expect(asked.some((token) => token && decodeJwt(token).aud === base)).toBe(true)
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const file = path.join(files.folder, 'services-out.csv')
  expect(await atrium(['export', 'services', file])).toMatchObject({ code: 0 })
  const again = await atrium(['import', 'services', file])
  expect(again).toMatchObject({ code: 0, output: expect.stringMatching(/0 added, 0 changed/) })
})

test('health check probes one service, health list shows those that are down', async () => {
  const { db } = platform
  await sql`
    update service set url = 'http://127.0.0.1:1/x' where id = (
      select id from service where online and url like 'https:%' order by id limit 1)`.execute(db)
  const { service_no: serviceNo } = await db
    .selectFrom('service')
    .select('service_no')
    .where('url', '=', 'http://127.0.0.1:1/x')
    .executeTakeFirstOrThrow()
  // A private address that is not opened: no request is made.
  expect(await atrium(['health', 'check', serviceNo])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^unknown .*\n.*ATRIUM_OUTBOUND_ALLOW/),
  })
  await sql`update service_host set state = 'down', since = now() where origin = 'http://127.0.0.1:1'`.execute(
    db,
  )
  expect(await atrium(['health', 'list'])).toMatchObject({
    code: 1,
    output: expect.stringContaining(`down        ${serviceNo} `),
  })
})

test('a message application is registered, listed, changed and removed', async () => {
  const made = await atrium(['message-app', 'set', 'cli-app', '--name', '命令行'])
  expect(made).toMatchObject({
    code: 0,
    output: expect.stringContaining('cli-app was registered.'),
  })
  const kinds = await atrium(['message-app', 'set', 'cli-app', '--kind', 'due=到期'])
  expect(kinds.output).toContain('cli-app was changed.')
  expect((await atrium(['message-app', 'list'])).output).toMatch(
    /cli-app {2}命令行\n +kinds: general, due/,
  )
  expect((await atrium(['message-app', 'secret', 'cli-app'])).output).toMatch(/^whsec_/m)
  const refused = await atrium(['message-app', 'set', 'cli-app', '--system', 'nobody'])
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('system') })
  expect((await atrium(['message-app', 'remove', 'cli-app'])).output).toContain('was removed')
  expect(await atrium(['message-app', 'remove', 'cli-app'])).toMatchObject({ code: 1 })
})

test('a course source is registered, read, listed and removed', async () => {
  const secret = files.write('token', 'a token\n')
  const set = (...options: string[]) => atrium(['study', 'set', 'cli-moodle', ...options])
  expect(await set('--name', 'Moodle')).toMatchObject({ code: 1 })
  const fields = ['--kind', 'moodle', '--name', 'Moodle', '--address', 'http://127.0.0.1:1']
  expect((await set(...fields)).output).toContain('secret')
  expect((await set(...fields, '--secret-file', secret)).output).toContain('not read yet')
  expect((await atrium(['study', 'read', 'cli-moodle'])).output).toMatch(
    /failed 1 times in a row: /,
  )
  expect((await atrium(['study', 'list'])).output).toContain('cli-moodle')
  expect((await atrium(['study', 'remove', 'cli-moodle'])).output).toContain('was removed')
  expect(await atrium(['study', 'read', 'cli-moodle'])).toMatchObject({ code: 1 })
})

test('an LTI tool is registered, listed, disabled and removed', async () => {
  expect((await atrium(['lti', 'platform'])).output).toMatch(/tokenUrl {2}http\S+\/lti\/token/)
  const fields = ['--login', 'https://quiz.example/login', '--launch', 'https://quiz.example/']
  expect(await atrium(['lti', 'add', '--name', '测验', ...fields])).toMatchObject({ code: 1 })
  const more = ['--redirect-uri', 'https://quiz.example/launch', '--jwks', 'https://quiz.example/k']
  const made = await atrium([
    'lti',
    'add',
    '--name',
    '测验',
    ...fields,
    ...more,
    '--scope',
    'score',
  ])
  const [, id = ''] = /^(\d+) {2}测验, in 0 materials/m.exec(made.output) ?? []
  expect(made.output).toMatch(/client id +lti-/)
  expect((await atrium(['lti', 'change', id, '--disable'])).output).toContain('测验 (off)')
  expect(await atrium(['lti', 'change', id, '--scope', 'all'])).toMatchObject({ code: 1 })
  expect((await atrium(['lti', 'list'])).output).toContain('测验 (off)')
  expect((await atrium(['lti', 'remove', id])).output).toContain('was removed')
  expect(await atrium(['lti', 'remove', id])).toMatchObject({ code: 1 })
})

test('a task source is registered, changed, compared, listed and removed', async () => {
  await atrium(['relying-party', 'set', 'cli-tasks', '--name', 'X', '--integration', 'transaction'])
  const set = (...options: string[]) => atrium(['task-source', 'set', 'cli-source', ...options])
  expect(await set('--system', 'cli-tasks')).toMatchObject({ code: 1 })
  const made = await set('--name', '命令行', '--system', 'cli-tasks')
  expect(made.output).toContain('cli-source was registered.')
  expect((await set('--callback', 'x')).output).toContain('x is not an address that begins with')
  expect((await set('--list', 'http://127.0.0.1:1/open')).output).toContain('was changed.')
  expect((await atrium(['task-source', 'compare', 'cli-source'])).output).toMatch(
    /cli-source {2}命令行 {2}system cli-tasks, 0 open tasks\n +comparison failed \(1 in a row\): /,
  )
  expect((await atrium(['task-source', 'secret', 'cli-source'])).output).toMatch(/^whsec_/m)
  expect((await atrium(['task-source', 'list'])).output).toContain('cli-source')
  expect((await atrium(['task-source', 'remove', 'cli-source'])).output).toContain('was removed')
  expect(await atrium(['task-source', 'secret', 'cli-source'])).toMatchObject({ code: 1 })
})

test('a task source is tested and polled with a connector description from a file', async () => {
  const key = 'a key of the system'
  const server = http.createServer(({ headers }, reply) => {
    if (headers['x-key'] !== key) return reply.writeHead(401).end()
    const rows = [
      { id: 1, name: '购置显微镜', by: 'teacher' },
      { id: 2, by: 'who-is-this' },
    ]
    reply.end(JSON.stringify({ rows }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const allow = { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1:${port}` }
  const described = (more: object) =>
    files.write(
      'oa.json',
      JSON.stringify({
        list: { address: `http://127.0.0.1:${port}/list` },
        authentication: { kind: 'header', header: 'x-key' },
        items: '/rows',
        task: { key: '/id', title: '/name', assignees: { username: '/by' }, ...more },
      }),
    )
  try {
    const wrong = described({ titel: '/name', note: 'memo' })
    const refused = await atrium(['tasks', 'try', wrong, '--secret-stdin'], key, allow)
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.output).toContain('/task/titel  is not a field of this call')
    expect(refused.output).toContain('/task/note  has the wrong format')
    const file = described({})
    const tried = await atrium(['task-source', 'try', file, '--secret-stdin'], key, allow)
    expect(tried.output).toMatch(/^1 {4}购置显微镜 {2}progress {2}teacher$/m)
    expect(tried.output).toContain('page 1  /rows/1/name  /task/title  is missing')
    expect(tried).toMatchObject({ code: 0 })
    const source = ['--name', '办公系统']
    await atrium(['task-source', 'set', 'cli-polled', ...source])
    const connect = () =>
      atrium(['task-source', 'connect', 'cli-polled', file, '--secret-stdin'], key, allow)
    expect((await connect()).output).toContain('cli-polled is polled every 5 min.')
    const compared = await atrium(['task-source', 'compare', 'cli-polled'], '', allow)
    expect(compared.output).toContain('polled every 5 min, 1 open tasks')
    expect(compared.output).toContain('listed 2, created 1, changed 0, ended 0, unread 1')
    const again = await atrium(['task-source', 'try', file, '--source', 'cli-polled'], '', allow)
    expect(again.output).toContain('购置显微镜')
    expect(`${compared.output}${again.output}`).not.toContain(key)
    expect((await atrium(['task-source', 'disconnect', 'cli-polled'])).output).toContain(
      'cli-polled is no longer polled.',
    )
  } finally {
    server.close()
  }
})
