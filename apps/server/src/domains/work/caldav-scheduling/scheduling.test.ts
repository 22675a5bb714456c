import { randomUUID } from 'node:crypto'
import { appointments } from '@atrium/contract/work/appointments'
import { caldav } from '@atrium/contract/work/calendar-exchange'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import { DAVClient } from 'tsdav'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startInvitations } from '#domains/work/invitations/worker.ts'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import { type Caller, openNode, testApp } from '../../../../test/test-app.ts'
import { readAddress } from './addresses.ts'

const app = await testApp()
const { db } = app.platform
const server = await mailServer()
type Device = { caller: Caller; username: string; header: string; password: string; home: string }
let student: Device
let teacher: Device
let node: Awaited<ReturnType<typeof openNode>>
let workers: { stop: () => Promise<unknown> }[] = []
const origin = () => app.platform.origin()

beforeAll(async () => {
  node = await openNode(app.url, {
    ATRIUM_DEMO: '0',
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port}`,
  })
  workers = [startOutbox(node.platform), startInvitations(node.platform)]
  const device = async (username: 'student' | 'teacher'): Promise<Device> => {
    const caller = await app.as(username)
    await db.updateTable('session').set({ confirmed_at: new Date().toISOString() }).execute()
    const { password } = (await caller(caldav.create, { body: { name: 'phone' } })).data
    const header = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    return { caller, username, header, password, home: `/caldav/calendars/${username}/` }
  }
  student = await device('student')
  teacher = await device('teacher')
  for (const username of ['student', 'teacher', 'staff'])
    await setMail(username, `${username}@jianglan.example`)
  await setEmailVisibility('teacher', 'everybody')
})
afterAll(async () => {
  for (const worker of workers) await worker.stop()
  await node.app.close()
  await node.platform.close()
})
beforeEach(async () => {
  await db.deleteFrom('event').where('title', 'like', 'Plan%').execute()
})

const personOf = (username: string) =>
  db.selectFrom('account').select('person_id').where('username', '=', username)
const accountOf = async (username: string) =>
  (
    await db
      .selectFrom('account')
      .select('id')
      .where('username', '=', username)
      .executeTakeFirstOrThrow()
  ).id
const setMail = (username: string, email: string) =>
  db.updateTable('person').set({ email }).where('id', '=', personOf(username)).execute()
async function setEmailVisibility(username: string, to: 'everybody' | 'nobody', more: object = {}) {
  const values = { email_shown_to: to, ...more }
  await db
    .insertInto('privacy_setting')
    .values({ account_id: await accountOf(username), ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute()
}

const send = (
  device: Device,
  method: string,
  url: string,
  body?: string,
  headers: Record<string, string> = {},
) =>
  node.app.inject({
    method: method as never,
    url,
    remoteAddress: '10.1.1.1',
    ...(body !== undefined && { payload: body }),
    headers: { authorization: device.header, 'content-type': 'text/calendar', ...headers },
  })

const attendee = (address: string, parameters = '') =>
  `ATTENDEE;CN=Somebody${parameters}:${address}`
const organizer = (address = 'mailto:student@jianglan.example') => `ORGANIZER;CN=Me:${address}`
const textOf = (uid: string, lines: string[], { title = 'Plan', hour = '10' } = {}) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Apple Inc.//iOS 18.0//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20310101T000000Z',
    `DTSTART:20310506T${hour}0000Z`,
    'DURATION:PT1H',
    `SUMMARY:${title}`,
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

async function calendarOf({ caller, home }: Device) {
  const body =
    '<D:propfind xmlns:D="DAV:"><D:prop><D:displayname/><D:current-user-privilege-set/></D:prop></D:propfind>'
  const device = { ...student, caller, home }
  const owner = home.includes('teacher') ? teacher : device
  const { body: text } = await send(owner, 'PROPFIND', home, body, { depth: '1' })
  const own = /<d:href>([^<]+)<\/d:href>(?:(?!<\/d:response>).)*<d:write-content/s
  return own.exec(text.slice(text.indexOf('</d:response>') + 13))?.[1] ?? ''
}

/** Creates an event from the student's phone. */
async function write(lines: string[], more: { title?: string } = {}) {
  const uid = randomUUID()
  const path = `${await calendarOf(student)}${uid}.ics`
  const answer = await send(student, 'PUT', path, textOf(uid, lines, more))
  return { uid, path, answer }
}
const readBody = async (device: Device, path: string) => {
  const { body, headers } = await send(device, 'GET', path)
  return { text: body.replaceAll('\r\n ', ''), etag: String(headers.etag) }
}
const attendeesIn = (text: string) =>
  text
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line.startsWith('ATTENDEE'))
/** The first event with this UID, because another calendar may hold a copy. */
const idOf = async (uid: string) =>
  (
    await db
      .selectFrom('event')
      .select('id')
      .where('uid', '=', uid)
      .orderBy('id')
      .executeTakeFirstOrThrow()
  ).id
const peopleOf = async (uid: string) =>
  (await student.caller(schedule.read, { params: { id: await idOf(uid) } })).data.participants.map(
    ({ accountName, email, answer }) => [accountName || email, answer],
  )
const titlesOf = async ({ caller }: Device) =>
  (await caller(messages.list, { query: { pageSize: 10 } })).data.list.map(({ title }) => title)
const mailsTo = (email: string) => server.mails.filter(({ to }) => to[0] === email)
const nthMail = (email: string, count: number) =>
  vi.waitFor(() => expect(mailsTo(email)).toHaveLength(count), { timeout: 20_000, interval: 50 })

describe('attendees written by a CalDAV client', () => {
  test('members are invited by email address or principal URL as in the portal', async () => {
    const { uid, path, answer } = await write(
      [
        organizer(),
        attendee('mailto:student@jianglan.example'),
        attendee('mailto:Teacher@Jianglan.example', ';ROLE=OPT-PARTICIPANT'),
      ],
      { title: 'Plan A' },
    )
    expect(answer.statusCode, answer.body).toBe(201)
    // The stored event differs from the one sent.
    expect(answer.headers.etag).toBeUndefined()
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
    expect((await titlesOf(teacher))[0]).toContain('邀请你参加：Plan A')
    expect(mailsTo('teacher@jianglan.example')).toHaveLength(0)
    const { text } = await readBody(student, path)
    expect(attendeesIn(text)).toEqual([
      attendee('mailto:student@jianglan.example'),
      'ATTENDEE;CN=Somebody;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;SCHEDULE-STATUS=1.2:mailto:Teacher@Jianglan.example',
    ])
    const other = await write([organizer(), attendee(`${origin()}/caldav/principals/teacher/`)])
    expect(await peopleOf(other.uid)).toEqual([['teacher', 'none']])
  })

  test('portal answers reach the client, which can reschedule and remove attendees', async () => {
    const { uid, path } = await write([organizer(), attendee('mailto:teacher@jianglan.example')])
    const before = await readBody(student, path)
    const id = await idOf(uid)
    await teacher.caller(appointments.respond, { params: { id }, body: { answer: 'yes' } })
    const after = await readBody(student, path)
    expect(after.etag).not.toBe(before.etag)
    expect(attendeesIn(after.text)[0]).toContain('PARTSTAT=ACCEPTED')
    expect(after.text).toContain('DTSTART:20310506T100000Z')
    // A client cannot change somebody else's answer.
    const forged = after.text.replace('PARTSTAT=ACCEPTED', 'PARTSTAT=DECLINED')
    await send(student, 'PUT', path, forged, { 'if-match': after.etag })
    expect(await peopleOf(uid)).toEqual([['teacher', 'yes']])
    // A new time resets the answers.
    const now = await readBody(student, path)
    const later = now.text.replaceAll('T100000Z', 'T110000Z')
    expect((await send(student, 'PUT', path, later, { 'if-match': now.etag })).statusCode).toBe(204)
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
    const last = await readBody(student, path)
    const bare = textOf(uid, [], { hour: '11' })
    // Without an ETag of the current version nobody is removed.
    await send(student, 'PUT', path, bare)
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
    expect((await send(student, 'PUT', path, bare, { 'if-match': last.etag })).statusCode).toBe(412)
    await send(student, 'PUT', path, bare, { 'if-match': (await readBody(student, path)).etag })
    expect(await peopleOf(uid)).toEqual([])
    expect((await titlesOf(teacher))[0]).toContain('取消了日程')
  })

  test('a client that omits attendees keeps those invited in the portal', async () => {
    const uid = randomUUID()
    await student.caller(appointments.create, {
      body: {
        uid,
        title: 'Plan B',
        startsLocal: '2031-05-06T10:00',
        minutes: 60,
        timeZone: 'UTC',
        participants: [{ accountName: 'teacher' }],
      },
    })
    const path = `${await calendarOf(student)}event-${await idOf(uid)}.ics`
    const { text, etag } = await readBody(student, path)
    expect(text).toContain(':mailto:student@jianglan.example')
    expect(attendeesIn(text)[0]).toMatch(/CUTYPE=INDIVIDUAL.*\/caldav\/principals\/teacher\/$/)
    const bare = text
      .split('\r\n')
      .filter((line) => !/^(?:ATTENDEE|ORGANIZER)/.test(line))
      .join('\r\n')
    await send(student, 'PUT', path, bare.replace('Plan B', 'Plan C'), { 'if-match': etag })
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
  })

  test('external attendees get a mail on invitation, change and removal', async () => {
    const { uid, path } = await write([organizer(), attendee('mailto:ada@example.org')])
    await nthMail('ada@example.org', 1)
    expect(mailsTo('ada@example.org')[0]?.text).toContain('method=REQUEST')
    const { text, etag } = await readBody(student, path)
    expect(attendeesIn(text)[0]).toContain('SCHEDULE-STATUS=1.0')
    const later = text.replaceAll('T100000Z', 'T120000Z')
    await send(student, 'PUT', path, later, { 'if-match': etag })
    await nthMail('ada@example.org', 2)
    const now = await readBody(student, path)
    const without = textOf(uid, [organizer(), attendee('mailto:student@jianglan.example')], {
      hour: '12',
    })
    await send(student, 'PUT', path, without, { 'if-match': now.etag })
    await nthMail('ada@example.org', 3)
    expect(mailsTo('ada@example.org')[2]?.text).toContain('method=CANCEL')
  })

  test('attendees with SCHEDULE-AGENT CLIENT or NONE are stored and not invited', async () => {
    const { uid, path, answer } = await write([
      organizer(),
      attendee('mailto:teacher@jianglan.example', ';SCHEDULE-AGENT=CLIENT'),
      attendee('mailto:bob@example.org', ';SCHEDULE-AGENT=NONE'),
    ])
    expect(answer.headers.etag).toBeTruthy()
    expect(await peopleOf(uid)).toEqual([])
    expect(attendeesIn((await readBody(student, path)).text)).toHaveLength(2)
    await write([organizer(), attendee('mailto:after-bob@example.org')])
    await nthMail('after-bob@example.org', 1)
    expect(mailsTo('bob@example.org')).toHaveLength(0)
  })
})

describe('a CalDAV client cannot', () => {
  test('invite in the name of another organiser', async () => {
    const forged = [
      organizer('mailto:teacher@jianglan.example'),
      attendee('mailto:eve@example.org'),
    ]
    const { uid, path, answer } = await write(forged)
    expect(answer.statusCode).toBe(201)
    expect(await peopleOf(uid)).toEqual([])
    const own = [organizer(), attendee('mailto:teacher@jianglan.example')]
    await send(student, 'PUT', path, textOf(uid, own))
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
    const { etag } = await readBody(student, path)
    const refused = await send(student, 'PUT', path, textOf(uid, forged), { 'if-match': etag })
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      expect.stringContaining('allowed-organizer-scheduling-object-change'),
    ])
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
    expect(mailsTo('eve@example.org')).toHaveLength(0)
  })

  test('invite 5,000 people, or members who do not allow letters', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => attendee(`mailto:p${at}@example.org`))
    const refused = (await write([organizer(), ...many])).answer
    expect([refused.statusCode, refused.body]).toEqual([
      403,
      expect.stringContaining('max-attendees-per-instance'),
    ])
    await setEmailVisibility('teacher', 'everybody', { letters_allowed: false })
    const { uid, path } = await write([organizer(), attendee('mailto:teacher@jianglan.example')])
    await setEmailVisibility('teacher', 'everybody', { letters_allowed: null })
    expect(await peopleOf(uid)).toEqual([])
    expect(attendeesIn((await readBody(student, path)).text)[0]).toContain('SCHEDULE-STATUS=3.8')
  })

  test('find out the owner of a hidden email address by inviting it', async () => {
    await setEmailVisibility('teacher', 'nobody')
    const { uid, path } = await write([organizer(), attendee('mailto:teacher@jianglan.example')])
    await setEmailVisibility('teacher', 'everybody')
    expect(await peopleOf(uid)).toEqual([['teacher@jianglan.example', 'none']])
    expect(attendeesIn((await readBody(student, path)).text)[0]).toContain('SCHEDULE-STATUS=1.0')
    await nthMail('teacher@jianglan.example', 1)
  })

  test('invite invalid addresses', async () => {
    const hostile = [
      'mailto:a@example.org%0D%0ABcc:eve@example.org',
      'mailto:a@example.org?bcc=eve@example.org',
      'mailto:a@example.org,eve@example.org',
      'mailto:"a b"@example.org',
      'mailto:a@localhost',
      'https://elsewhere.example/caldav/principals/teacher/',
      'urn:uuid:12',
    ]
    const { uid, path } = await write([organizer(), ...hostile.map((one) => attendee(one))])
    expect(await peopleOf(uid)).toEqual([])
    const kept = attendeesIn((await readBody(student, path)).text)
    expect(kept).toHaveLength(hostile.length)
    for (const line of kept) expect(line).toContain('SCHEDULE-STATUS=3.7')
    for (const one of hostile) expect(readAddress(one, 'https://campus.example')).toBeUndefined()
  })
})

describe('an attendee', () => {
  const invited = '/caldav/calendars/teacher/invitations/'
  const invite = async (more: string[] = []) => {
    const created = await write([organizer(), attendee('mailto:teacher@jianglan.example'), ...more])
    return { ...created, path: `${invited}${created.uid}.ics`, own: created.path }
  }

  test('reads no other attendees and answers only for themselves', async () => {
    const { uid, path, own } = await invite([attendee('mailto:cem@example.org'), 'X-SECRET:mine'])
    const { text, etag } = await readBody(teacher, path)
    expect(attendeesIn(text)).toEqual([expect.stringMatching(/NEEDS-ACTION:mailto:teacher@/)])
    expect(text).not.toMatch(/cem@|X-SECRET|student@/)
    expect(text).toMatch(/ORGANIZER;CN=[^:]+:.*\/caldav\/principals\/student\//)
    const yes = text.replace('NEEDS-ACTION', 'ACCEPTED')
    expect((await send(teacher, 'PUT', path, yes, { 'if-match': '"1"' })).statusCode).toBe(412)
    expect((await send(teacher, 'PUT', path, yes, { 'if-match': etag })).statusCode).toBe(204)
    expect(await peopleOf(uid)).toEqual([
      ['teacher', 'yes'],
      ['cem@example.org', 'none'],
    ])
    expect((await titlesOf(student))[0]).toMatch(/参加：Plan/)
    expect(attendeesIn((await readBody(student, own)).text)[0]).toContain('PARTSTAT=ACCEPTED')
    expect((await send(teacher, 'DELETE', path)).statusCode).toBe(204)
    expect((await peopleOf(uid))[0]).toEqual(['teacher', 'no'])
    expect((await send(teacher, 'GET', path)).statusCode).toBe(404)
  })

  test('cannot change time or attendees, nor write the organiser’s event', async () => {
    const { uid, path, own } = await invite()
    const { text } = await readBody(teacher, path)
    for (const changed of [
      text.replaceAll('20310506T', '20310507T'),
      text.replace(/ATTENDEE/, `${attendee('mailto:eve@example.org')}\r\nATTENDEE`),
      text.replace(/mailto:teacher@/, 'mailto:staff@'),
      text.replace(/ATTENDEE.*\r\n/, ''),
    ]) {
      const refused = await send(teacher, 'PUT', path, changed)
      expect([refused.statusCode, refused.body]).toEqual([
        403,
        expect.stringContaining('allowed-attendee-scheduling-object-change'),
      ])
    }
    expect((await send(teacher, 'PUT', own, text)).statusCode).toBe(404)
    expect((await send(teacher, 'PUT', `${invited}other.ics`, text)).statusCode).toBe(403)
    const asOwn = await send(teacher, 'PUT', `${await calendarOf(teacher)}${uid}.ics`, text)
    expect(asOwn.statusCode).toBe(201)
    expect(await peopleOf(uid)).toEqual([['teacher', 'none']])
  })
})

test('a client discovers the outbox and gets free/busy times without event details', async () => {
  const names = '<C:schedule-inbox-URL/><C:schedule-outbox-URL/><C:calendar-user-address-set/>'
  const body = `<D:propfind xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:prop>${names}<D:resourcetype/></D:prop></D:propfind>`
  const principal = await send(student, 'PROPFIND', '/caldav/principals/student/', body)
  expect(principal.headers.dav).toContain('calendar-auto-schedule')
  const outbox = `${student.home}outbox/`
  expect(principal.body).toContain(
    `<c:schedule-outbox-URL><d:href>${outbox}</d:href></c:schedule-outbox-URL>`,
  )
  expect(principal.body).toContain('<d:href>mailto:student@jianglan.example</d:href>')
  for (const box of ['inbox', 'outbox'])
    expect((await send(student, 'PROPFIND', `${student.home}${box}/`, body)).body).toContain(
      `<c:schedule-${box}/>`,
    )

  await teacher.caller(appointments.create, {
    body: {
      uid: randomUUID(),
      title: 'Plan secret',
      startsLocal: '2031-05-06T10:00',
      minutes: 60,
      timeZone: 'UTC',
    },
  })
  const ask = (people: string[], { by = organizer(), end = '20310507' } = {}) =>
    send(
      student,
      'POST',
      outbox,
      [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Apple Inc.//iOS 18.0//EN',
        'METHOD:REQUEST',
        'BEGIN:VFREEBUSY',
        `UID:${randomUUID()}`,
        'DTSTAMP:20310101T000000Z',
        'DTSTART:20310506T000000Z',
        `DTEND:${end}T000000Z`,
        by,
        ...people.map((one) => attendee(one)),
        'END:VFREEBUSY',
        'END:VCALENDAR',
        '',
      ].join('\r\n'),
    )
  const address = 'mailto:teacher@jianglan.example'
  const told = await ask([address, 'mailto:nobody@example.org'])
  expect(told.statusCode, told.body).toBe(200)
  expect(told.body).toContain('FREEBUSY;FBTYPE=BUSY:20310506T100000Z/20310506T110000Z')
  expect(told.body).toContain('3.7;Invalid calendar user')
  expect(told.body).not.toContain('secret')
  const hide = async (show_busy: boolean) => {
    const account_id = await accountOf('teacher')
    await db
      .insertInto('schedule_setting')
      .values({ account_id, show_busy })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ show_busy }))
      .execute()
  }
  await hide(false)
  const hidden = await ask([address])
  await hide(true)
  expect(hidden.body).toContain('3.8;No authority')
  expect(hidden.body).not.toContain('FREEBUSY;')
  for (const refused of [
    await ask([address], { by: organizer(address) }),
    await ask([address], { end: '20320507' }),
    await ask(Array.from({ length: 21 }, (_, at) => `mailto:p${at}@example.org`)),
    await send(student, 'POST', outbox, 'nonsense'),
  ])
    expect(refused.statusCode).toBe(403)
  expect((await send(teacher, 'POST', outbox, 'nonsense')).statusCode).toBe(404)
})

test('the tsdav client invites, reads the answer and cancels', async () => {
  const serverUrl = await node.app.listen({ port: 0, host: '127.0.0.1' })
  const client = new DAVClient({
    serverUrl,
    credentials: { username: student.username, password: student.password },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })
  await client.login()
  const path = await calendarOf(student)
  const calendar = (await client.fetchCalendars()).find(({ url }) => url.endsWith(path))
  if (!calendar) throw new Error('the calendar is not found')
  const uid = randomUUID()
  const people = [organizer(), attendee('mailto:teacher@jianglan.example')]
  const iCalString = textOf(uid, people, { title: 'Plan D' })
  await client.createCalendarObject({ calendar, filename: `${uid}.ics`, iCalString })
  await teacher.caller(appointments.respond, {
    params: { id: await idOf(uid) },
    body: { answer: 'maybe' },
  })
  const find = async () =>
    (await client.fetchCalendarObjects({ calendar })).find(({ url }) => url.includes(uid))
  const object = await find()
  expect(String(object?.data).replaceAll('\r\n ', '').replaceAll('\n ', '')).toContain(
    'PARTSTAT=TENTATIVE',
  )
  if (!object) throw new Error('the event is not found')
  expect((await client.deleteCalendarObject({ calendarObject: object })).ok).toBe(true)
  expect((await titlesOf(teacher))[0]).toContain('取消了日程：Plan D')
})
