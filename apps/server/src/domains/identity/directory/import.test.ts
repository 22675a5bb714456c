import {
  type DirectoryRun,
  type DirectorySettings,
  directories,
} from '@atrium/contract/identity/directory'
import { identity } from '@atrium/contract/identity/identity'
import { personal } from '@atrium/contract/member/personal'
import { sql } from 'kysely'
import { Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startRangedLdap } from '../../../../test/ranged-ldap.ts'
import { hasSlapd, person, reader, type Slapd, startSlapd, suffix } from '../../../../test/slapd.ts'
import { type Caller, idTokenOf, type TestApp, testApp } from '../../../../test/test-app.ts'
import {
  ancestorsOf,
  attributesOf,
  matchesRule,
  normalizeDn,
  renderTemplate,
  templateAttributes,
} from './entries.ts'
import { membersOf } from './ldap.ts'
import { presets } from './presets.ts'
import { importOnSchedule } from './runs.ts'

describe('a directory entry', () => {
  const entry = attributesOf({
    dn: 'uid=x',
    CN: ['one', 'two'],
    sn: '',
    mail: [],
    userAccountControl: '514',
    objectGUID: Buffer.from('00ff10', 'hex'),
  })

  test.each([
    ['{cn}', 'one'],
    ['{sn|mail|cn}', 'one'],
    ['{sn}{mail}', ''],
    ['S-{cn}-{CN}', 'S-one-one'],
    ['S01', 'S01'],
    ['{objectGUID}', '00ff10'],
    ['{dn}', 'uid=x'],
  ])('is rendered by the template %s as “%s”', (template, value) => {
    expect(renderTemplate(template, entry)).toBe(value)
  })

  test.each([
    ['userAccountControl&2', true],
    ['userAccountControl&1', false],
    ['cn=TWO', true],
    ['cn=three', false],
    ['cn', true],
    ['sn', false],
    ['', false],
  ])('matches the rule %s: %s', (rule, met) => {
    expect(matchesRule(rule, entry)).toBe(met)
  })

  test('has ancestor DNs, regardless of escaped commas', () => {
    expect(ancestorsOf('cn=Li\\, Lei,ou=A\\,B,dc=x')).toEqual(['ou=A\\,B,dc=x', 'dc=x'])
    expect(normalizeDn('CN=Li\\, Lei , OU = A,dc=X')).toBe('cn=li\\, lei,ou=a,dc=x')
    expect(templateAttributes('{a|b}-{c}', 'S01')).toEqual(['a', 'b', 'c'])
  })
})

test('a large group is read in the ranges that Active Directory returns', async () => {
  const everybody = Array.from({ length: 7 }, (_, n) => `cn=m${n},dc=example`)
  const { url, asked } = await startRangedLdap('member', everybody, 3)
  const client = new Client({ url })
  try {
    const dn = 'cn=all,dc=example'
    const { searchEntries } = await client.search(dn, { scope: 'base', attributes: ['member'] })
    const read = membersOf(
      { client, server: url },
      dn,
      attributesOf(searchEntries[0] ?? { dn }),
      'member',
    )
    expect(await Array.fromAsync(read)).toEqual(everybody)
    expect(asked).toEqual(['member', 'member;range=3-*', 'member;range=6-*'])
  } finally {
    await client.unbind()
  }
})

describe.skipIf(!hasSlapd)('a directory import', () => {
  const people = `ou=people,${suffix}`
  const groups = `ou=groups,${suffix}`
  let app: TestApp
  let slapd: Slapd
  let admin: Caller

  beforeAll(async () => {
    app = await testApp()
    admin = await app.as('admin')
    slapd = await startSlapd()
    Object.assign(app.platform.env, { ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${slapd.port}` })
    const unit = (dn: string, ou: string, description: string) =>
      slapd.add(dn, { objectClass: 'organizationalUnit', ou, description })
    await unit(people, 'people', '全体人员')
    await unit(groups, 'groups', '群组')
    await unit(`ou=LAW,${people}`, 'LAW', '法学院')
    await unit(`ou=LAW1,ou=LAW,${people}`, 'LAW1', '民法系')
    for (const uid of ['li', 'wang'])
      await slapd.add(`uid=${uid},ou=LAW1,ou=LAW,${people}`, person(uid, { cn: `名${uid}` }))
    for (let n = 0; n < 18; n++)
      await slapd.add(`uid=p${n},ou=LAW,${people}`, person(`p${n}`, { employeeType: 'teacher' }))
    await slapd.add(`cn=moot,${groups}`, {
      objectClass: 'groupOfNames',
      cn: 'moot',
      description: '模拟法庭',
      member: [`uid=li,ou=LAW1,ou=LAW,${people}`, `uid=P0, ou=LAW,${people}`],
    })
    await save()
  })
  afterAll(() => slapd?.stop())

  const settings = (more: Partial<DirectorySettings> = {}): DirectorySettings => ({
    ...presets.openldap,
    servers: [slapd.url],
    startTls: true,
    ca: slapd.ca,
    bindDn: reader.dn,
    schedule: '30 19 * * *',
    members: {
      ...presets.openldap.members,
      base: people,
      identities: { student: 'S01', Teacher: 'T01' },
      disabled: 'description=left',
    },
    organizations: {
      ...(presets.openldap.organizations as NonNullable<DirectorySettings['organizations']>),
      base: people,
      filter: '(&(objectClass=organizationalUnit)(!(ou=people)))',
      under: 'JLU',
    },
    groups: {
      ...(presets.openldap.groups as NonNullable<DirectorySettings['groups']>),
      base: groups,
    },
    ...more,
  })
  async function save(more: Partial<DirectorySettings> = {}) {
    const answer = await admin(directories.save, {
      params: { code: 'law' },
      body: { settings: settings(more), bindPassword: reader.password },
    })
    expect(answer.status, answer.raw).toBe(200)
  }
  async function ended(run: DirectoryRun): Promise<DirectoryRun> {
    for (;;) {
      const { data } = await admin(directories.run, { params: { id: run.id } })
      if (data.status !== 'running') return data
    }
  }
  async function importNow(body: object = {}) {
    const { data, raw } = await admin(directories.importNow, { params: { code: 'law' }, body })
    expect(data, raw).not.toBeNull()
    return ended(data)
  }
  const rowsOf = async (run: DirectoryRun, what?: string) =>
    (
      await admin(directories.report, {
        params: { id: run.id },
        query: { pageSize: 200, ...(what && { what }) },
      })
    ).data.list
  const account = (username: string) =>
    app.platform.db
      .selectFrom('account')
      .innerJoin('person', 'person.id', 'account.person_id')
      .innerJoin('organization', 'organization.id', 'account.organization_id')
      .select([
        'account.id',
        'account.status',
        'account.identity_type_code as identity',
        'person.name',
        'person.email',
        'organization.path',
      ])
      .where('username', '=', username)
      .executeTakeFirst()
  const groupsOf = async (username: string) =>
    (
      await app.platform.db
        .selectFrom('group_member')
        .innerJoin('member_group', 'member_group.id', 'group_id')
        .innerJoin('account', 'account.id', 'account_id')
        .select('code')
        .where('username', '=', username)
        .orderBy('code')
        .execute()
    ).map(({ code }) => code)

  test('reports its changes in a dry run and writes nothing', async () => {
    const run = await importNow({ dry: true })
    expect(run, run.error).toMatchObject({
      status: 'done',
      dry: true,
      startedBy: 'admin',
      members: { added: 20, changed: 0, refused: 0 },
      organizations: { added: 2 },
      groups: { added: 1 },
      disabled: 0,
    })
    expect(await rowsOf(run, 'added')).toContainEqual({
      kind: 'member',
      what: 'added',
      name: 'li',
      detail: '',
    })
    expect(await account('li')).toBeUndefined()
    expect(await app.platform.db.selectFrom('directory_entry').selectAll().execute()).toEqual([])
  })

  test('imports nested units, groups and their members', async () => {
    expect(await importNow()).toMatchObject({ status: 'done', members: { added: 20 } })
    expect(await account('li')).toMatchObject({
      status: 'active',
      name: '名li',
      email: 'li@example.edu',
      identity: 'S01',
      path: ['JLU', 'LAW', 'LAW1'],
    })
    expect(await account('p0')).toMatchObject({ identity: 'T01', path: ['JLU', 'LAW'] })
    expect(await groupsOf('li')).toEqual(['moot'])
    expect(await groupsOf('p0')).toEqual(['moot'])
    const secondRun = await importNow()
    expect(secondRun).toMatchObject({
      members: { added: 0, changed: 0, unchanged: 20 },
      organizations: { added: 0, changed: 0, unchanged: 2 },
      groups: { added: 0, changed: 0, unchanged: 1 },
    })
    expect(await rowsOf(secondRun)).toEqual([])
  })

  test('keeps the account and its local groups when a person is renamed or moved', async () => {
    const before = await account('wang')
    await app.platform.db
      .insertInto('group_member')
      .values({
        account_id: before?.id as string,
        group_id: sql`(select min(id) from member_group)`,
      })
      .execute()
    const own = await groupsOf('wang')
    await slapd.admin.modifyDN(
      `uid=wang,ou=LAW1,ou=LAW,${people}`,
      `uid=wang-zhao,ou=LAW,${people}`,
    )
    await slapd.replace(`cn=moot,${groups}`, 'member', `uid=wang-zhao,ou=LAW,${people}`)
    const run = await importNow()
    expect(run, run.error).toMatchObject({ members: { added: 0, changed: 3, refused: 0 } })
    expect(await account('wang')).toBeUndefined()
    expect(await account('wang-zhao')).toMatchObject({ id: before?.id, path: ['JLU', 'LAW'] })
    expect(await groupsOf('wang-zhao')).toEqual([...own, 'moot'].sort())
    expect(await groupsOf('li')).toEqual([])
  })

  test('lets two people swap their usernames', async () => {
    const before = [await account('p1'), await account('p2')]
    await slapd.admin.modifyDN(`uid=p1,ou=LAW,${people}`, `uid=swap,ou=LAW,${people}`)
    await slapd.admin.modifyDN(`uid=p2,ou=LAW,${people}`, `uid=p1,ou=LAW,${people}`)
    await slapd.admin.modifyDN(`uid=swap,ou=LAW,${people}`, `uid=p2,ou=LAW,${people}`)
    expect(await importNow()).toMatchObject({ members: { changed: 2, refused: 0 } })
    expect((await account('p1'))?.id).toBe(before[1]?.id)
    expect((await account('p2'))?.id).toBe(before[0]?.id)
  })

  test('moves a unit with its subtree and keeps its code', async () => {
    await slapd.admin.modifyDN(`ou=LAW1,ou=LAW,${people}`, `ou=CIVIL,${people}`)
    expect(await importNow()).toMatchObject({ status: 'done', members: { refused: 0 } })
    expect(await account('li')).toMatchObject({ path: ['JLU', 'LAW1'] })
  })

  test('reports rejected entries and disables none of their accounts', async () => {
    await slapd.add(`uid=student,ou=LAW,${people}`, person('student', { cn: '冒名' }))
    await slapd.add(`uid=admin,ou=LAW,${people}`, person('admin'))
    await slapd.replace(`uid=p3,ou=LAW,${people}`, 'employeeType', 'gardener')
    await slapd.replace(`uid=p4,ou=LAW,${people}`, 'mail', 'no mail address')
    await save({ takeOver: 'nobody' })
    const run = await importNow()
    expect(run).toMatchObject({ status: 'done', disabled: 0, members: { refused: 4 } })
    expect(await rowsOf(run, 'refused')).toEqual(
      expect.arrayContaining([
        {
          kind: 'member',
          what: 'refused',
          name: `uid=p3,ou=LAW,${people}`,
          detail: 'gardener has no code in members.identities',
        },
        {
          kind: 'member',
          what: 'refused',
          name: `uid=p4,ou=LAW,${people}`,
          detail: expect.stringContaining('must be an email address'),
        },
        {
          kind: 'member',
          what: 'refused',
          name: `uid=student,ou=LAW,${people}`,
          detail: expect.stringContaining('may not take over'),
        },
      ]),
    )
    expect(await account('p3')).toMatchObject({ status: 'active', identity: 'T01' })
    await slapd.replace(`uid=p3,ou=LAW,${people}`, 'employeeType', 'teacher')
    await slapd.replace(`uid=p4,ou=LAW,${people}`, 'mail', 'p4@example.edu')
  })

  test('takes over members of the same name if allowed, but never operators', async () => {
    const before = await account('student')
    await save({ takeOver: 'members' })
    const run = await importNow()
    expect(run).toMatchObject({ members: { refused: 1, changed: 1 } })
    expect(await rowsOf(run, 'refused')).toMatchObject([{ name: `uid=admin,ou=LAW,${people}` }])
    expect(await account('student')).toMatchObject({ id: before?.id, name: '冒名' })
    await slapd.admin.del(`uid=admin,ou=LAW,${people}`)
  })

  test('does not link a recreated entry to the account of the deleted one', async () => {
    await slapd.admin.del(`uid=p5,ou=LAW,${people}`)
    await slapd.add(`uid=p5,ou=LAW,${people}`, person('p5', { employeeType: 'teacher' }))
    await save({ maxDisabled: 50 })
    const run = await importNow()
    expect(run).toMatchObject({ disabled: 1, members: { refused: 1 } })
    expect(await account('p5')).toMatchObject({ status: 'disabled' })
    const unlink = () => admin(directories.unlink, { params: { code: 'law', username: 'p5' } })
    expect((await unlink()).status).toBe(200)
    expect((await unlink()).error).toBe('directory.member_not_found')
    // Linked again, but it was disabled before the directory managed it.
    expect(await importNow()).toMatchObject({ members: { refused: 0 } })
    await app.platform.db
      .updateTable('account')
      .set({ status: 'active' })
      .where('username', '=', 'p5')
      .execute()
  })

  test('ends the sessions of a disabled person and lets them in again when they return', async () => {
    const signIn = () =>
      app.visitor(identity.passwordLogin, {
        body: { username: 'p6', password: 'p6 has a password' },
      })
    const p6 = app.withToken(idTokenOf((await signIn()).data))
    expect((await p6(personal.me)).status).toBe(200)
    const { db } = app.platform
    const party = await db
      .insertInto('relying_party')
      .values({ code: 'used' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      insert into relying_party_session (session_id, relying_party_id, protocol, sealed_key)
      select session.id, ${party.id}, 'cas', username from session join account on account.id = account_id
      where session.kind = 'central'`.execute(db)
    await slapd.replace(`uid=p6,ou=LAW,${people}`, 'description', 'left')
    const run = await importNow()
    expect(run).toMatchObject({ status: 'done', disabled: 1 })
    expect(await rowsOf(run, 'disabled')).toEqual([
      { kind: 'member', what: 'disabled', name: 'p6', detail: 'disabled in the directory' },
    ])
    await app.platform.topics.flushed()
    expect((await p6(personal.me)).status).toBe(401)
    const notices = await db.selectFrom('logout_notice').select('sealed_key').execute()
    expect(notices).toEqual([{ sealed_key: 'p6' }])
    expect((await signIn()).error).toBe('login.refused')
    await slapd.replace(`uid=p6,ou=LAW,${people}`, 'description')
    expect(await importNow()).toMatchObject({ disabled: 0, members: { changed: 1 } })
    expect((await signIn()).status).toBe(200)
    // Disabled by an operator, so the directory must not re-enable them.
    await app.platform.db
      .updateTable('account')
      .set({ status: 'disabled' })
      .where('username', '=', 'p6')
      .execute()
    await importNow()
    expect(await account('p6')).toMatchObject({ status: 'disabled' })
  })

  test('stops before disabling too many members until an operator confirms', async () => {
    await save({ maxDisabled: 10 })
    const half = (await app.platform.db.selectFrom('directory_entry').selectAll().execute()).length
    for (let n = 7; n < 17; n++) await slapd.admin.del(`uid=p${n},ou=LAW,${people}`)
    const run = await importNow()
    expect(run).toMatchObject({ status: 'stopped', disabled: 10, known: half - 1 })
    expect(run.error).toContain('10 of 20 accounts would be disabled')
    expect(await rowsOf(run, 'disabled')).toHaveLength(10)
    expect(await account('p7')).toMatchObject({ status: 'active' })
    expect(await importNow({ dry: true })).toMatchObject({
      status: 'done',
      notes: expect.arrayContaining([expect.stringContaining('would stop here')]),
    })

    // One more entry was deleted concurrently: more than was confirmed.
    await slapd.admin.del(`uid=p17,ou=LAW,${people}`)
    const confirm = (id: string) => admin(directories.confirm, { params: { id } })
    const student = await app.as('teacher')
    expect((await student(directories.confirm, { params: { id: run.id } })).status).toBe(403)
    const more = await ended((await confirm(run.id)).data)
    expect(more).toMatchObject({ status: 'stopped', disabled: 11 })
    expect((await confirm(run.id)).error).toBe('directory.not_stopped')

    expect(await ended((await confirm(more.id)).data)).toMatchObject({
      status: 'done',
      disabled: 11,
    })
    expect(await account('p7')).toMatchObject({ status: 'disabled' })
    expect(await account('p0')).toMatchObject({ status: 'active' })
  })

  test('changes nothing when the directory is empty or unreachable', async () => {
    await save({ members: { ...settings().members, filter: '(uid=nobody)' } })
    expect(await importNow()).toMatchObject({ status: 'stopped' })
    await save({ members: { ...settings().members, base: `ou=nowhere,${suffix}` } })
    expect(await importNow()).toMatchObject({ status: 'failed' })
    await save({ servers: ['ldap://127.0.0.1:1'] })
    const run = await importNow()
    expect(run.status).toBe('failed')
    expect(run.error).toContain('ATRIUM_OUTBOUND_ALLOW')
    expect(await account('p0')).toMatchObject({ status: 'active' })
  })

  test('runs on its schedule, one at a time, and lists its runs', async () => {
    await save()
    await app.platform.db
      .insertInto('directory_run')
      .columns(['directory_id', 'dry', 'started_by'])
      .expression((query) =>
        query
          .selectFrom('directory')
          .select(['id', sql<boolean>`true`.as('dry'), sql<string>`'x'`.as('started_by')]),
      )
      .execute()
    const busy = await admin(directories.importNow, { params: { code: 'law' }, body: {} })
    expect(busy.error).toBe('directory.busy')
    await importOnSchedule(app.platform, 'law')
    await app.platform.db
      .updateTable('directory_run')
      .set({ started_at: sql`now() - interval '7 hours'` })
      .where('started_by', '=', 'x')
      .execute()
    await importOnSchedule(app.platform, 'law')
    const { data } = await admin(directories.runs, {
      params: { code: 'law' },
      query: { pageSize: 2 },
    })
    expect(data.list).toMatchObject([
      { startedBy: 'schedule', status: 'done' },
      { startedBy: 'x', status: 'failed', error: 'It was interrupted.' },
    ])
    const next = await admin(directories.runs, {
      params: { code: 'law' },
      query: { pageSize: 2, cursor: data.nextCursor },
    })
    expect(next.data.list[0]?.id).not.toBe(data.list[1]?.id)
  })

  test('resolves nested groups, including cycles', async () => {
    const group = (cn: string, ...member: string[]) =>
      slapd.add(`cn=${cn},${groups}`, { objectClass: 'groupOfNames', cn, member })
    await group('inner', `uid=p5,ou=LAW,${people}`, `cn=circle,${groups}`)
    await group('middle', `CN=inner, ${groups}`)
    await group('circle', `cn=middle,${groups}`, `uid=p6,ou=LAW,${people}`)
    expect(await importNow()).toMatchObject({ status: 'done', groups: { added: 3 } })
    for (const uid of ['p5', 'p6'])
      expect(await groupsOf(uid)).toEqual(['circle', 'inner', 'middle'])
    await slapd.admin.del(`cn=circle,${groups}`)
    await slapd.replace(`cn=inner,${groups}`, 'member', `uid=p5,ou=LAW,${people}`)
    await importNow()
    expect(await groupsOf('p5')).toEqual(['inner', 'middle'])
  })

  test('supports Active Directory: disabled accounts, binary keys and nested groups', async () => {
    const base = `ou=ad,${suffix}`
    await slapd.add(base, { objectClass: 'organizationalUnit', ou: 'ad' })
    const entry = (cn: string, objectClass: string | string[], more: object) =>
      slapd.admin.add(`cn=${cn},${base}`, {
        objectClass,
        cn,
        instanceType: '4',
        nTSecurityDescriptor: 'x',
        objectCategory: `cn=x,${base}`,
        sAMAccountName: cn,
        objectSid: 'x',
        ...more,
      })
    const guid = (last: number) => Buffer.from([0xff, 0, 0x80, last]) as never
    const group = (cn: string, key: number, ...memberOf: string[]) =>
      entry(cn, ['group', 'securityPrincipal'], {
        groupType: '2',
        objectGUID: guid(key),
        ...(memberOf.length > 0 && { memberOf }),
      })
    const user = (cn: string, key: number, userAccountControl: string, more: object = {}) =>
      entry(cn, ['user', 'securityPrincipal'], {
        sn: cn,
        displayName: `${cn} von AD`,
        employeeType: 'student',
        objectGUID: guid(key),
        userAccountControl,
        memberOf: [`CN=AdStaff,${base}`],
        ...more,
      })
    await group('AdStaff', 1, `CN=AdAll,${base}`)
    await group('AdAll', 2)
    await user('adam', 3, '512')
    await user('adele', 4, '512')
    const ad = presets.activeDirectory
    const { status, raw } = await admin(directories.save, {
      params: { code: 'ad' },
      body: {
        settings: {
          ...settings({ maxDisabled: 100 }),
          members: {
            ...ad.members,
            base,
            filter: '(objectClass=user)',
            identities: { student: 'S01' },
            organizationElse: 'JLU',
          },
          organizations: null,
          groups: { ...ad.groups, base },
        },
        bindPassword: reader.password,
      },
    })
    expect(status, raw).toBe(200)
    const { data } = await admin(directories.importNow, { params: { code: 'ad' }, body: {} })
    const run = await ended(data)
    expect(run, JSON.stringify(await rowsOf(run))).toMatchObject({
      status: 'done',
      members: { added: 2, refused: 0 },
      groups: { added: 2 },
    })
    expect(await account('adam')).toMatchObject({ status: 'active', name: 'adam von AD' })
    expect(await account('adele')).toMatchObject({ status: 'active' })
    await slapd.replace(`cn=adele,${base}`, 'userAccountControl', '514')
    const second = await admin(directories.importNow, { params: { code: 'ad' }, body: {} })
    expect(await ended(second.data)).toMatchObject({ status: 'done', disabled: 1 })
    expect(await account('adele')).toMatchObject({ status: 'disabled' })
    expect(await groupsOf('adam')).toEqual(['AdAll', 'AdStaff'])
    const keys = await app.platform.db
      .selectFrom('directory_entry')
      .innerJoin('account', 'account.id', 'account_id')
      .select('external_key')
      .where('username', '=', 'adam')
      .execute()
    expect(keys).toEqual([{ external_key: 'ff008003' }])
  })
})
