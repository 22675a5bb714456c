import { connect, createServer, type Server, type Socket } from 'node:net'
import { account } from '@atrium/contract/identity/account'
import { type DirectorySettings, directories } from '@atrium/contract/identity/directory'
import { identity } from '@atrium/contract/identity/identity'
import { forgotten } from '@atrium/contract/identity/passwordless'
import { personal } from '@atrium/contract/member/personal'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { solvedCaptcha } from '../../../../test/captcha.ts'
import { hasSlapd, person, reader, type Slapd, startSlapd, suffix } from '../../../../test/slapd.ts'
import {
  type Caller,
  demoPassword,
  idTokenOf,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'
import { bindErrorAnswer, clearOutage } from './check-password.ts'
import { presets } from './presets.ts'
import { isCron } from './settings.ts'

const people = `ou=people,${suffix}`

test.each([
  ['data 52e', 49, 'refused'],
  ['data 525', 49, 'refused'],
  ['data 532', 49, 'expired'],
  ['data 533', 49, 'disabled'],
  ['data 701', 49, 'disabled'],
  ['data 773', 49, 'must_change'],
  ['data 775', 49, 'locked'],
  ['nothing of the kind', 49, 'refused'],
  ['', 32, 'refused'],
  ['Too many failed attempts', 19, 'locked'],
  ['', 10, 'unavailable'],
  ['', 51, 'unavailable'],
])('the bind error “%s” with code %i means %s', (text, code, answer) => {
  const message = `80090308: LdapErr: DSID-0C090439, comment: AcceptSecurityContext error, ${text}, v4563`
  expect(bindErrorAnswer({ code, message: code === 49 ? message : text })).toBe(answer)
})

test.each([
  ['30 19 * * *', true],
  ['*/15 0-6,20 1 1,7 0-7', true],
  ['60 * * * *', false],
  ['* * * *', false],
  ['* 5-2 * * *', false],
  ['*/0 * * * *', false],
  ['5/ * * * *', false],
])('the schedule %s is valid: %s', (text, good) => {
  expect(isCron(text)).toBe(good)
})

describe.skipIf(!hasSlapd)('a directory', () => {
  let app: TestApp
  let slapd: Slapd
  let admin: Caller
  /** accepts connections but never responds */
  let silent: Server
  const connections: Socket[] = []
  let silentPort = 0
  /** passes everything on to the directory, unencrypted, and records what it was sent */
  let watched: Server
  let watchedPort = 0
  const sent: Buffer[] = []

  beforeAll(async () => {
    app = await testApp()
    admin = await app.as('admin')
    slapd = await startSlapd()
    silent = createServer((socket) => {
      connections.push(socket)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    silentPort = (silent.address() as { port: number }).port
    watched = createServer((socket) => {
      const onward = connect({ port: slapd.port, host: '127.0.0.1' })
      connections.push(socket, onward)
      for (const one of [socket, onward]) one.on('error', () => one.destroy())
      socket.on('data', (bytes) => sent.push(bytes as Buffer))
      socket.pipe(onward).pipe(socket)
    })
    await new Promise<void>((resolve) => watched.listen(0, '127.0.0.1', resolve))
    watchedPort = (watched.address() as { port: number }).port
    const ports = [watchedPort, slapd.port, slapd.tlsPort, silentPort, 1]
    Object.assign(app.platform.env, {
      ATRIUM_OUTBOUND_ALLOW: ports.map((port) => `127.0.0.1/32:${port}`).join(','),
    })
    await slapd.add(people, { objectClass: 'organizationalUnit', ou: 'people' })
    for (const uid of ['amy', 'bob', 'cai', 'dan'])
      await slapd.add(`uid=${uid},${people}`, person(uid))
  })
  afterAll(async () => {
    await slapd?.stop()
    for (const socket of connections) socket.destroy()
    silent?.close()
    watched?.close()
  })
  beforeEach(async () => {
    await app.platform.db.deleteFrom('login_throttle').execute()
  })

  const settings = (more: Partial<DirectorySettings> = {}): DirectorySettings => ({
    ...presets.openldap,
    servers: [slapd.url],
    startTls: true,
    ca: slapd.ca,
    bindDn: reader.dn,
    schedule: '',
    passwordAddress: 'https://password.example.edu/',
    organizations: null,
    groups: null,
    members: {
      ...presets.openldap.members,
      base: people,
      identities: { student: 'S01', '*': 'E01' },
      organizationElse: 'CS',
    },
    ...more,
  })
  const save = async (more: Partial<DirectorySettings> = {}, bindPassword = reader.password) => {
    const answer = await admin(directories.save, {
      params: { code: 'main' },
      body: { settings: settings(more), bindPassword },
    })
    expect(answer.status, answer.raw).toBe(200)
    return answer.data
  }
  const tryOut = async (body: object = {}) =>
    (await admin(directories.test, { params: { code: 'main' }, body })).data
  async function importAll() {
    const { data } = await admin(directories.importNow, { params: { code: 'main' }, body: {} })
    for (;;) {
      const run = (await admin(directories.run, { params: { id: data.id } })).data
      if (run.status !== 'running') return run
    }
  }
  const attempt = (username: string, password: string) =>
    app.visitor(identity.passwordLogin, { body: { username, password } })
  const saveWatched = () =>
    save({ servers: [`ldap://127.0.0.1:${watchedPort}`], startTls: false, ca: '' })
  /** What the directory is sent meanwhile. */
  async function sentDuring(work: () => Promise<{ error: string | undefined }>) {
    sent.length = 0
    const { error } = await work()
    return { error, asked: sent.length > 0, text: Buffer.concat(sent).toString('latin1') }
  }
  const lastEntry = () =>
    app.platform.db
      .selectFrom('authentication_log')
      .select(['way', 'result', 'username'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()

  describe('configuration', () => {
    test('requires an operator and never exposes the bind password', async () => {
      const student = await app.as('student')
      for (const caller of [student, app.visitor])
        expect(
          (
            await caller(directories.save, {
              params: { code: 'main' },
              body: { settings: settings(), bindPassword: 'x' },
            })
          ).status,
        ).toBeGreaterThanOrEqual(401)
      const saved = await save()
      expect(saved).toMatchObject({ code: 'main', hasPassword: true, members: 0 })
      const listed = await admin(directories.list)
      expect(listed.data).toHaveLength(1)
      const logged = await app.platform.db.selectFrom('audit_entry').selectAll().execute()
      const stored = await app.platform.db.selectFrom('directory').selectAll().execute()
      for (const text of [listed.raw, JSON.stringify(logged), JSON.stringify(stored)])
        expect(text).not.toContain(reader.password)
      expect(JSON.stringify(logged)).toContain('PUT /console-api/v1/directories/{code}')
    })

    test('rejects invalid settings and reports the fields', async () => {
      const answer = await admin(directories.save, {
        params: { code: 'main' },
        body: {
          settings: settings({
            servers: ['ldap://'.concat('host:99999')],
            schedule: '61 * * * *',
            ca: 'no certificate',
            members: {
              ...settings().members,
              filter: '(uid=*)(uid=*)',
              identities: { x: 'NO-SUCH' },
              organizationElse: 'NO-SUCH',
            },
          }),
          bindPassword: 'x',
        },
      })
      expect(answer).toMatchObject({ status: 400, error: 'directory.settings_invalid' })
      expect(Object.keys(answer.fields ?? {}).sort()).toEqual([
        'settings.ca',
        'settings.members.filter',
        'settings.members.identities',
        'settings.members.organizationElse',
        'settings.schedule',
        'settings.servers.0',
      ])
    })

    test('requires the bind password again when server or encryption change', async () => {
      await save()
      const again = (more: Partial<DirectorySettings>) =>
        admin(directories.save, { params: { code: 'main' }, body: { settings: settings(more) } })
      expect((await again({ servers: [`ldap://127.0.0.1:${silentPort}`] })).fields).toHaveProperty(
        'bindPassword',
      )
      expect((await again({ startTls: false, ca: '' })).fields).toHaveProperty('bindPassword')
      expect((await again({ maxDisabled: 7 })).status).toBe(200)
      expect(connections).toHaveLength(0)
    })
  })

  describe('connection test', () => {
    test.each([
      ['with StartTLS', () => ({})],
      ['with LDAPS', () => ({ servers: [`ldaps://localhost:${slapd.tlsPort}`] })],
      ['with the second server', () => ({ servers: ['ldap://127.0.0.1:1', slapd.url] })],
    ])('succeeds %s', async (_, more) => {
      await save(more())
      const { ok, steps } = await tryOut({ username: 'amy' })
      expect(ok, JSON.stringify(steps)).toBe(true)
      expect(steps.at(-1)).toMatchObject({
        step: 'person',
        detail: expect.stringContaining(`uid=amy,${people}: amy, identity S01`),
      })
    })

    test.each([
      [
        'a closed port',
        () => ({ servers: ['ldap://127.0.0.1:1'] }),
        'connect',
        'nothing listens on port 1',
      ],
      [
        'an address that is not allowed',
        () => ({ servers: ['ldap://127.0.0.1:2'] }),
        'address',
        'ATRIUM_OUTBOUND_ALLOW',
      ],
      [
        'an unknown host name',
        () => ({ servers: ['ldap://no-such-host.invalid'] }),
        'address',
        'cannot be resolved',
      ],
      [
        'an untrusted certificate',
        () => ({ ca: '' }),
        'encrypt',
        'certificate that is not trusted',
      ],
      [
        'LDAPS on a plain port',
        () => ({ servers: [`ldaps://127.0.0.1:${slapd.port}`] }),
        'encrypt',
        'ldap://',
      ],
    ] as const)('reports %s', async (_, more, step, words) => {
      await save(more())
      const { ok, steps } = await tryOut()
      expect(ok).toBe(false)
      expect(steps.at(-1)).toMatchObject({
        step,
        ok: false,
        detail: expect.stringContaining(words),
      })
    })

    test('reports a wrong bind password, a missing base and a missing key attribute', async () => {
      await save({}, 'not it')
      expect((await tryOut()).steps.at(-1)).toMatchObject({
        step: 'bind',
        detail: expect.stringContaining('does not accept the password of cn=admin'),
      })
      const { members } = settings()
      await save({ members: { ...members, base: `ou=nowhere,${suffix}` } })
      expect((await tryOut()).steps.at(-1)).toMatchObject({ step: 'members', ok: false })
      await save({ members: { ...members, key: 'objectGUID' } })
      expect((await tryOut()).steps.at(-1)).toMatchObject({
        step: 'members',
        detail: expect.stringContaining('has no objectGUID'),
      })
    })

    test('reports a person whose identity type has no mapping', async () => {
      const { members } = settings()
      await save({ members: { ...members, identities: { teacher: 'T01' } } })
      expect((await tryOut({ username: 'amy' })).steps.at(-1)).toMatchObject({
        step: 'person',
        ok: false,
        detail: expect.stringContaining('student has no code in members.identities'),
      })
    })

    test.each([
      '*',
      'a*',
      'amy)(uid=*',
      '*)(objectClass=*',
      'amy\\2a',
      '\u0000amy',
      '(',
      'amy))(|(uid=*',
    ])('finds nobody by the hostile name %s', async (username) => {
      await save()
      expect((await tryOut({ username })).steps.at(-1)).toMatchObject({
        step: 'person',
        ok: false,
        detail: expect.stringContaining('No entry has'),
      })
    })
  })

  describe('password check', () => {
    beforeAll(async () => {
      await save()
      const run = await importAll()
      expect(run, JSON.stringify(run)).toMatchObject({
        status: 'done',
        members: { added: 4, refused: 0 },
      })
    })
    beforeEach(() => save())

    test('signs a member in with the correct password, without activation', async () => {
      const { data, status } = await attempt('amy', 'amy has a password')
      expect(status).toBe(200)
      const me = await app.withToken(idTokenOf(data))(personal.me)
      expect(me.status).toBe(200)
      expect(await lastEntry()).toMatchObject({ way: 'directory', result: 'ok' })
    })

    test.each([
      ['amy', 'bob has a password'],
      ['amy', ' '],
      ['amy', demoPassword],
      ['nobody-there', 'amy has a password'],
      ['*', 'amy has a password'],
      ['amy)(uid=*', 'amy has a password'],
      [`uid=amy,${people}`, 'amy has a password'],
      ['admin', reader.password],
    ])('rejects %s with “%s”', async (username, password) => {
      expect(await attempt(username, password)).toMatchObject({
        status: 401,
        error: 'login.refused',
      })
    })

    test('rejects an empty password, which LDAP treats as an anonymous bind', async () => {
      expect((await attempt('amy', '')).status).toBe(400)
      expect(
        (await app.visitor(identity.passwordLogin, { query: { username: 'amy' } })).status,
      ).toBe(400)
    })

    test('does not apply to local accounts, even with an entry of the same name', async () => {
      // The directory has an entry with the same name and another password.
      await slapd.add(`uid=teacher,${people}`, person('teacher'))
      expect((await attempt('teacher', demoPassword)).status).toBe(200)
      expect((await attempt('teacher', 'teacher has a password')).error).toBe('login.refused')
      await slapd.admin.del(`uid=teacher,${people}`)
    })

    test('sends the directory no password of local accounts or unknown names', async () => {
      await saveWatched()
      for (const [username, password, isSent] of [
        ['amy', 'amy has a password', true],
        ['teacher', demoPassword, false],
        ['teacher', 'a wrong password', false],
        ['nobody-there', 'a wrong password', false],
      ] as const) {
        const { asked, text } = await sentDuring(() => attempt(username, password))
        // It is asked for every name, so that the time tells nothing.
        expect({ username, asked, isSent: text.includes(password) }).toEqual({
          username,
          asked: true,
          isSent,
        })
      }
    })

    test('stores no password of its members', async () => {
      expect((await attempt('amy', 'amy has a password')).status).toBe(200)
      const { password_hash } = await app.platform.db
        .selectFrom('person')
        .innerJoin('account', 'account.person_id', 'person.id')
        .select('password_hash')
        .where('username', '=', 'amy')
        .executeTakeFirstOrThrow()
      expect(password_hash).toBeNull()
    })

    test('does not reach the directory while a captcha is due or the name has to wait', async () => {
      await saveWatched()
      const tryBob = async (password: string, captcha?: string) => {
        const body = { username: 'bob', password, ...(captcha && { captcha }) }
        const { error, asked } = await sentDuring(() =>
          app.visitor(identity.passwordLogin, { body }),
        )
        return { error, asked }
      }
      const right = 'bob has a password'
      for (let n = 0; n < 3; n++)
        expect(await tryBob('wrong')).toEqual({ error: 'login.refused', asked: true })
      expect(await tryBob(right)).toEqual({ error: 'login.captcha_due', asked: false })
      await app.platform.db.updateTable('login_throttle').set({ failures: 20 }).execute()
      const solve = () => solvedCaptcha(app.visitor)
      expect(await tryBob('wrong', await solve())).toEqual({ error: 'login.refused', asked: true })
      expect(await tryBob(right, await solve())).toEqual({ error: 'login.too_many', asked: false })
    })

    test('follows a renamed or moved entry, and rejects a new entry with the old name', async () => {
      await slapd.add(`ou=moved,${people}`, { objectClass: 'organizationalUnit', ou: 'moved' })
      await slapd.admin.modifyDN(`uid=cai,${people}`, `uid=cai-new,ou=moved,${people}`)
      expect((await attempt('cai', 'cai has a password')).status).toBe(200)
      await slapd.add(`uid=cai,${people}`, person('cai', { userPassword: 'another cai' }))
      expect((await attempt('cai', 'another cai')).error).toBe('login.refused')
      expect((await attempt('cai', 'cai has a password')).status).toBe(200)
      await slapd.admin.del(`uid=cai,${people}`)
      await slapd.admin.modifyDN(`uid=cai-new,ou=moved,${people}`, `uid=cai,${people}`)
    })

    test('rejects a person who no longer matches the member filter', async () => {
      const { members } = settings()
      await save({ members: { ...members, filter: '(&(objectClass=inetOrgPerson)(!(uid=dan)))' } })
      expect((await attempt('dan', 'dan has a password')).error).toBe('login.refused')
    })

    test('does not follow referrals', async () => {
      const before = connections.length
      await slapd.add(`ou=away,${people}`, {
        objectClass: ['referral', 'extensibleObject'],
        ou: 'away',
        ref: `ldap://127.0.0.1:${silentPort}/ou=people,${suffix}`,
      })
      const { ok, steps } = await tryOut()
      expect(ok, JSON.stringify(steps)).toBe(true)
      expect((await attempt('amy', 'amy has a password')).status).toBe(200)
      // Only entries behind the referral.
      await save({ members: { ...settings().members, base: `ou=away,${people}` } })
      expect(await attempt('amy', 'amy has a password')).toMatchObject({
        status: 503,
        error: 'login.directory_unavailable',
      })
      expect((await importAll()).status).toBe('failed')
      expect(connections.length).toBe(before)
    })

    test('reports an outage for any name, while local accounts still sign in', async () => {
      await save({ servers: ['ldap://127.0.0.1:1'] })
      for (const [username, password] of [
        ['amy', 'amy has a password'],
        ['amy', 'wrong'],
        ['nobody-there', 'wrong'],
        ['teacher', 'wrong'],
      ] as const)
        expect(await attempt(username, password)).toMatchObject({
          status: 503,
          error: 'login.directory_unavailable',
        })
      expect(await lastEntry()).toMatchObject({ result: 'unavailable' })
      expect((await attempt('teacher', demoPassword)).status).toBe(200)
      // An outage does not count as a wrong password.
      await save()
      expect((await attempt('amy', 'amy has a password')).status).toBe(200)
    })

    test('asks the next server if one does not respond, and pauses if all are silent', async () => {
      await save({ servers: [`ldap://127.0.0.1:${silentPort}`, slapd.url] })
      expect((await attempt('amy', 'amy has a password')).status).toBe(200)
      await save({ servers: [`ldap://127.0.0.1:${silentPort}`] })
      expect((await attempt('amy', 'amy has a password')).error).toBe('login.directory_unavailable')
      // The directory is not asked again for a while, so nobody waits.
      const before = connections.length
      expect((await attempt('amy', 'amy has a password')).error).toBe('login.directory_unavailable')
      expect(connections.length).toBe(before)
    })

    test('account security names the external page and rejects a password change', async () => {
      const { data } = await attempt('amy', 'amy has a password')
      const amy = app.withToken(idTokenOf(data))
      expect((await amy(account.confirm, { body: { password: 'wrong' } })).error).toBe(
        'account.password_wrong',
      )
      const confirmed = await amy(account.confirm, { body: { password: 'amy has a password' } })
      expect(confirmed.data.password).toEqual({
        set: true,
        changedAt: null,
        mustChange: false,
        elsewhere: {
          name: 'OpenLDAP',
          nameEn: 'OpenLDAP',
          address: 'https://password.example.edu/',
        },
      })
      const { body } = { body: { newPassword: 'seven quiet herons at dawn' } }
      expect(await amy(account.changePassword, { body })).toMatchObject({
        status: 409,
        error: 'account.password_elsewhere',
      })
    })

    test('password recovery names the external page only after the code is verified', async () => {
      const begun = await app.visitor(forgotten.begin, { body: { who: 'bob' } })
      const { state } = begun.data
      expect(begun.raw).not.toContain('OpenLDAP')
      await app.visitor(forgotten.send, { body: { state, kind: 'email' } })
      const { body } = await app.platform.db
        .selectFrom('outbox')
        .select('body')
        .where('recipient', '=', 'bob@example.edu')
        .executeTakeFirstOrThrow()
      const code = /\b\d{6}\b/.exec(body)?.[0]
      const checked = await app.visitor(forgotten.check, { body: { state, kind: 'email', code } })
      expect(checked.data).toMatchObject({
        username: 'bob',
        elsewhere: { address: 'https://password.example.edu/' },
      })
      const finished = await app.visitor(forgotten.finish, {
        body: { state, newPassword: 'seven quiet herons at dawn' },
      })
      expect(finished.error).toBe('account.password_elsewhere')
      expect((await attempt('bob', 'seven quiet herons at dawn')).error).toBe('login.refused')
    })

    test('rejects disabled accounts', async () => {
      const setStatus = (status: string) =>
        app.platform.db
          .updateTable('account')
          .set({ status })
          .where('username', '=', 'dan')
          .execute()
      await setStatus('disabled')
      expect((await attempt('dan', 'dan has a password')).error).toBe('login.refused')
      await setStatus('inactive')
      expect((await attempt('dan', 'dan has a password')).status).toBe(200)
    })

    test('an operator cannot manage a directory of members with more permissions', async () => {
      const { db } = app.platform
      const { id } = await db
        .selectFrom('account')
        .select('id')
        .where('username', '=', 'amy')
        .executeTakeFirstOrThrow()
      const staff = await app.as('staff')
      const { id: staffId } = await db
        .selectFrom('account')
        .select('id')
        .where('username', '=', 'staff')
        .executeTakeFirstOrThrow()
      await db
        .insertInto('operator_grant')
        .values([
          { account_id: staffId, permission: 'identity' },
          { account_id: id, permission: 'system' },
        ])
        .execute()
      app.platform.guard.forgetSession('')
      await app.platform.db.transaction().execute(async (db) => {
        const { invalidate } = await import('#platform/database/topics.ts')
        await invalidate(db, 'directory')
      })
      await app.platform.topics.flushed()
      const body = { settings: settings({ name: 'Mine' }), bindPassword: reader.password }
      expect((await staff(directories.list)).status).toBe(200)
      for (const answer of [
        await staff(directories.save, { params: { code: 'main' }, body }),
        await staff(directories.remove, { params: { code: 'main' } }),
        await staff(directories.importNow, { params: { code: 'main' }, body: {} }),
        await staff(directories.unlink, { params: { code: 'main', username: 'amy' } }),
      ])
        expect(answer).toMatchObject({ status: 403, error: 'operator.member_may_more' })
      expect(
        await staff(directories.save, {
          params: { code: 'other' },
          body: { ...body, settings: settings({ takeOver: 'everybody' }) },
        }),
      ).toMatchObject({ status: 403, error: 'operator.beyond_own' })
      await db.deleteFrom('operator_grant').where('account_id', 'in', [id, staffId]).execute()
    })

    test('rejects the members of a removed directory', async () => {
      expect((await admin(directories.remove, { params: { code: 'main' } })).status).toBe(200)
      expect((await attempt('amy', 'amy has a password')).error).toBe('login.refused')
      expect((await admin(directories.remove, { params: { code: 'main' } })).error).toBe(
        'directory.not_found',
      )
      clearOutage('0')
    })
  })
})
