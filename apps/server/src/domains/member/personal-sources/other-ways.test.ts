import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { SourceKind } from '@atrium/contract/member/personal-source'
import { personalSources } from '@atrium/contract/member/personal-sources'
import { personalSourceSettings } from '@atrium/contract/member/personal-sources.operator'
import { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runImport } from '#platform/ingest/import.ts'
import { type Dovecot, hasDovecot, master, startDovecot } from '../../../../test/dovecot.ts'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { importPersonal, type PersonalFile } from './import-personal.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
let number: string

beforeAll(async () => {
  app = await testApp()
  ;[student, teacher, admin] = await Promise.all([
    app.as('student'),
    app.as('teacher'),
    app.as('admin'),
  ])
  const row = await app.platform.db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select('person.external_key')
    .where('account.username', '=', 'student')
    .executeTakeFirstOrThrow()
  number = row.external_key ?? ''
  await sql`delete from personal_source`.execute(app.platform.db)
  await sql`delete from personal_card`.execute(app.platform.db)
})

const connect = async (kind: SourceKind, connector: object, secret = 'a secret') => {
  const answer = await admin(personalSourceSettings.connect, {
    params: { kind },
    body: { connector: connector as never, secret },
  })
  expect(answer).toMatchObject({ status: 200 })
  await app.platform.topics.flushed()
}
const errorOf = async (kind: SourceKind) =>
  (await admin(personalSourceSettings.list)).data.find((one) => one.kind === kind)?.error
const forget = () => sql`delete from personal_card`.execute(app.platform.db)

const views = (system: 'postgresql' | 'mysql', more: object) => ({
  way: 'sql',
  timeoutSeconds: 2,
  sql: {
    system,
    username: 'portal',
    encryption: 'none',
    view: 'v_card',
    owner: 'person_no',
    columns: { balance: 'money', cardNo: 'card_no' },
    lists: {
      transactions: {
        view: 'v_payment',
        owner: 'person_no',
        columns: { at: 'paid_at', amount: 'sum', place: 'shop' },
        newest: 'paid_at',
      },
    },
    ...more,
  },
})

async function readsViews(
  connector: object,
  secret: string,
  writes: (statement: string) => Promise<unknown>,
) {
  await forget()
  await connect('ecard', connector, secret)
  const answer = await student(personalSources.eCard)
  expect([await errorOf('ecard'), answer.data]).toMatchObject([
    '',
    { balance: '88.50', cardNo: '4321' },
  ])
  const { data } = await student(personalSources.eCardData, { query: { month: '2026-11' } })
  expect(data?.list).toMatchObject([
    { amount: '-12.00', place: '第一食堂' },
    { amount: '-3.50', place: '超市' },
  ])
  expect((await teacher(personalSources.eCard)).data).toBeNull()
  // The database treats these numbers as equal, we do not.
  await writes(`update card set person_no = ' ${number}' where person_no = '${number}'`)
  await forget()
  const after = await student(personalSources.eCard)
  expect(after.data?.balance).toBeUndefined()
}

const tables = (text: string) => [
  `create table card (person_no ${text}, money decimal(10, 2), card_no ${text})`,
  `create table payment (person_no ${text}, paid_at timestamp, sum decimal(10, 2), shop ${text})`,
  'create view v_card as select * from card',
  'create view v_payment as select * from payment',
  `insert into card values ('${number}', 88.5, '62220000004321')`,
  `insert into payment values ('${number}', '2026-11-03 12:00:00', -12, '第一食堂'), ('${number}', '2026-11-02 18:00:00', -3.5, '超市')`,
]

describe('database views', () => {
  test('are read from PostgreSQL, and a hanging query times out', async () => {
    const url = new URL(app.url)
    const { db } = app.platform
    // Tests use a socket to reach their database; an institution's is reached over the network.
    const folder = url.searchParams.get('host')
    const network = net.createServer((one) => {
      const other = folder
        ? net.connect(`${folder}/.s.PGSQL.${url.port || 5432}`)
        : net.connect(Number(url.port || 5432), url.hostname)
      one.pipe(other).pipe(one)
      for (const end of [one, other]) end.on('error', () => [one, other].map((x) => x.destroy()))
    })
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    const name = `own_${randomBytes(4).toString('hex')}`
    const run = (statement: string) => sql.raw(statement).execute(db)
    // A separate schema and role, which may read nothing but the views.
    await run(`create schema card_system`)
    await run(`create role "${name}" login password 'a secret'`)
    try {
      for (const statement of tables('text'))
        await run(
          statement.replaceAll(
            /\b(table|view|into|from) (card|payment|v_card|v_payment)\b/g,
            '$1 card_system.$2',
          ),
        )
      await run(`grant usage on schema card_system to "${name}"`)
      await run(`grant select on card_system.v_card, card_system.v_payment to "${name}"`)
      const at = {
        host: '127.0.0.1',
        port: (network.address() as AddressInfo).port,
        database: url.pathname.slice(1),
        username: name,
        view: 'card_system.v_card',
      }
      app.platform.env.ATRIUM_OUTBOUND_ALLOW = `127.0.0.1/32:${at.port}`
      const connector = views('postgresql', at)
      connector.sql.lists.transactions.view = 'card_system.v_payment'
      await readsViews(connector, 'a secret', (statement) =>
        run(statement.replace('update card', 'update card_system.card')),
      )
      // A query that hangs.
      await run(
        `create or replace view card_system.v_card as select person_no, money, card_no from card_system.card where pg_sleep(20) is not null`,
      )
      await forget()
      expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
      expect(await errorOf('ecard')).toMatch(/within 2 s|timeout/)
    } finally {
      await run('drop schema card_system cascade')
      await run(`drop owned by "${name}"`)
      await run(`drop role "${name}"`)
      network.close()
    }
  }, 30_000)

  test('are read from MariaDB', async (context) => {
    const at = { host: '127.0.0.1', port: 3306 }
    const root = await createConnection({ ...at, user: 'root' }).catch(() => undefined)
    if (!root) {
      console.warn(
        'SKIPPED: the test of MariaDB needs one at 127.0.0.1:3306 whose root has no password.',
      )
      return context.skip()
    }
    const name = `atrium_${randomBytes(4).toString('hex')}`
    try {
      await root.query(`create database ${name} character set utf8mb4`)
      await root.query(`use ${name}`)
      await root.query(`create user '${name}'@'127.0.0.1' identified by 'a secret'`)
      for (const statement of tables('varchar(60)')) await root.query(statement)
      for (const view of ['v_card', 'v_payment'])
        await root.query(`grant select on ${name}.${view} to '${name}'@'127.0.0.1'`)
      app.platform.env.ATRIUM_OUTBOUND_ALLOW = '127.0.0.1/32:3306'
      await readsViews(
        views('mysql', { ...at, database: name, username: name }),
        'a secret',
        (statement) => root.query(statement),
      )
    } finally {
      await root.query(`drop database if exists ${name}`)
      await root.query(`drop user if exists '${name}'@'127.0.0.1'`)
      await root.end()
    }
  }, 30_000)

  test('in the internal network are not read unless allowed', async () => {
    app.platform.env.ATRIUM_OUTBOUND_ALLOW = ''
    await forget()
    await connect('ecard', views('mysql', { host: '127.0.0.1', port: 3306, database: 'x' }))
    expect(await student(personalSources.eCard)).toMatchObject({ status: 503 })
    expect(await errorOf('ecard')).toContain('ATRIUM_OUTBOUND_ALLOW')
  })
})

describe.skipIf(!hasDovecot)('a mailbox over IMAP', () => {
  let dovecot: Dovecot
  const secret = master.password
  const mailbox = (more: object = {}) => ({
    way: 'imap',
    timeoutSeconds: 5,
    imap: {
      host: '127.0.0.1',
      port: dovecot.tlsPort,
      ca: dovecot.ca,
      login: `{/username}*${master.user}`,
      ...more,
    },
  })

  beforeAll(async () => {
    dovecot = await startDovecot(['student', 'admin'])
    app.platform.env.ATRIUM_OUTBOUND_ALLOW = `127.0.0.1/32:${dovecot.tlsPort},127.0.0.1/32:${dovecot.port}`
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: dovecot.port,
      secure: false,
      doSTARTTLS: false,
      auth: { user: 'student', pass: 'own-student' },
      logger: false,
    })
    await client.connect()
    for (const [index, subject] of ['选课通知', 'Library notice', '=?utf-8?B?5L2g5aW9?='].entries())
      await client.append(
        'INBOX',
        `From: "Registry" <registry@example.edu>\r\nSubject: ${subject}\r\nDate: Mon, 02 Nov 2026 10:0${index}:00 +0800\r\n\r\nText\r\n`,
        index === 0 ? ['\\Seen'] : [],
        new Date(Date.UTC(2026, 10, 2, 2, index)),
      )
    await client.logout()
  })
  afterAll(() => dovecot.stop())

  test('returns the unread count and the latest subjects', async () => {
    await forget()
    await connect('mailbox', mailbox(), secret)
    const { data } = await student(personalSources.mailbox)
    expect([await errorOf('mailbox'), data]).toMatchObject([
      '',
      {
        unread: 2,
        total: 3,
        list: [{ subject: '你好', from: 'Registry' }, { subject: 'Library notice' }, {}],
      },
    ])
    expect(data?.address).toContain('@')
  })

  test.each([
    ['with a wrong password', {}, 'wrong', 'refuses the sign-in'],
    ['without trust in its certificate', { ca: undefined }, secret, 'certificate'],
  ])('reports why it cannot be read %s', async (_, more, password, issue) => {
    await forget()
    await connect('mailbox', mailbox(more), password)
    expect(await student(personalSources.mailbox)).toMatchObject({ status: 503 })
    expect(await errorOf('mailbox')).toContain(issue)
  })

  test('is opened only for its own member', async () => {
    await forget()
    await connect('mailbox', mailbox(), secret)
    expect(await teacher(personalSources.mailbox)).toMatchObject({ status: 503 })
    expect((await admin(personalSources.mailbox)).data).toMatchObject({ unread: 0, list: [] })
  })
})

describe('files', () => {
  const importFile = async (file: PersonalFile, text: string) => {
    const name = path.join(os.tmpdir(), `atrium-${process.pid}-${file}.csv`)
    writeFileSync(name, text)
    const issues: string[] = []
    const report = await runImport(
      app.url,
      { onIssue: (row, sentence) => void issues.push(`${row}: ${sentence}`) },
      (run) => importPersonal(run, name, file, { timeZone: 'Asia/Shanghai', moneyIn: 'yuan' }),
    )
    await app.platform.topics.flushed()
    return { ...report, issues }
  }

  test('import cards and payments by number or username', async () => {
    await sql`delete from personal_source`.execute(app.platform.db)
    await forget()
    const cards = await importFile(
      'cards',
      `学号,余额,卡号\n${number},"1,028.40",62221234\nnobody,1,2\n,3,4\n${number}x,viel,5\n`,
    )
    expect(cards).toMatchObject({ added: 1 })
    expect(cards.issues.join('\n')).toMatch(
      /neither a number[\s\S]*as money|as money[\s\S]*neither a number/,
    )
    expect(cards.issues.join('\n')).toContain('there is no member nobody')
    const flow = await importFile(
      'card-payments',
      'username,时间,金额,地点\nstudent,2026-11-02 12:00,-8.5,第一食堂\nteacher,2026-11-02 12:00,-1,超市\n',
    )
    expect(flow).toMatchObject({
      changed: 1,
      issues: [expect.stringContaining('import those first')],
    })
    expect((await student(personalSources.eCard)).data).toMatchObject({
      balance: '1028.40',
      cardNo: '1234',
      stale: false,
    })
    expect((await student(personalSources.eCardData)).data?.list).toMatchObject([
      { amount: '-8.50' },
    ])
    expect((await admin(personalSourceSettings.list)).data).toMatchObject([
      { kind: 'ecard', state: 'import', members: 1 },
    ])
  })

  test('replace the whole list of each member they contain', async () => {
    await importFile(
      'loans',
      `number,title,dueOn\n${number},红楼梦,2026-12-01\n${number},城市,2026-12-02\n`,
    )
    await importFile('loans', `number,title,dueOn\n${number},民法总论,2026/12/03\n`)
    expect((await student(personalSources.books)).data).toMatchObject({
      borrowed: 1,
      list: [{ title: '民法总论' }],
    })
  })

  test('are rejected while a system of the same kind is connected', async () => {
    await connect(
      'books',
      views('mysql', { host: 'db.example', port: 3306, database: 'x', columns: {}, lists: {} }),
    )
    await expect(
      importFile('loans', `number,title,dueOn\n${number},a,2026-12-01\n`),
    ).rejects.toThrow('Disconnect it first')
  })
})
