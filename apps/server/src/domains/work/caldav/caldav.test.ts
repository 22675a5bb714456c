import { randomUUID } from 'node:crypto'
import { appointments } from '@atrium/contract/work/appointments'
import { caldav } from '@atrium/contract/work/calendar-exchange'
import { calendars } from '@atrium/contract/work/calendars'
import { schedule } from '@atrium/contract/work/schedule'
import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { type Caller, type TestApp, testApp } from '../../../../test/test-app.ts'
import { maxListed } from './objects.ts'
import { readXml, type XmlNode } from './xml.ts'

let app: TestApp
let student: Caller
/** the Authorization header of the student's phone */
let phone: string

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
async function newPassword(caller: Caller, username: string, name = '手机') {
  await app.platform.db
    .updateTable('session')
    .set({ confirmed_at: new Date().toISOString() })
    .execute()
  const { data } = await caller(caldav.create, { body: { name } })
  return { ...data, header: basic(username, data.password) }
}

beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
})
beforeEach(async () => {
  await app.platform.db.deleteFrom('caldav_password').execute()
  await app.platform.db.deleteFrom('login_throttle').execute()
  phone = (await newPassword(student, 'student')).header
})

type Sent = { body?: string; headers?: Record<string, string>; as?: string; from?: string }
const send = (
  method: string,
  url: string,
  { body, headers = {}, as, from = '10.1.1.1' }: Sent = {},
) =>
  app.app.inject({
    method: method as never,
    url,
    remoteAddress: from,
    ...(body !== undefined && { payload: body }),
    headers: {
      authorization: as ?? phone,
      ...(body !== undefined && { 'content-type': 'text/xml' }),
      ...headers,
    },
  })

/** Parses a multistatus: per address, its found properties by name and its own status. */
async function ask(method: string, url: string, depth: string, body: string, sent: Sent = {}) {
  const answer = await send(method, url, { ...sent, body, headers: { depth, ...sent.headers } })
  expect(answer.statusCode, answer.body).toBe(207)
  const root = readXml(answer.body)
  const inside = (node: XmlNode | undefined, name: string) =>
    node?.children.filter((child) => child.name === name) ?? []
  const responses = new Map(
    inside(root, 'response').map((response) => {
      const found = inside(response, 'propstat').find((one) =>
        inside(one, 'status')[0]?.text.includes('200'),
      )
      const properties = inside(found, 'prop')[0]?.children ?? []
      return [
        inside(response, 'href')[0]?.text ?? '',
        {
          status: inside(response, 'status')[0]?.text,
          properties: new Map(properties.map((property) => [property.name, property])),
          text: (name: string) => properties.find((property) => property.name === name)?.text,
        },
      ] as const
    }),
  )
  return { responses, token: inside(root, 'sync-token')[0]?.text ?? '' }
}

const home = '/caldav/calendars/student/'
const namespaces =
  'xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:CS="http://calendarserver.org/ns/" xmlns:ical="http://apple.com/ns/ical/"'
/** Sent by Apple's dataaccessd to list the calendars of a home. */
const appleHome = `<?xml version="1.0" encoding="UTF-8"?>
<A:propfind xmlns:A="DAV:"><A:prop><A:add-member/><B:calendar-color xmlns:B="http://apple.com/ns/ical/"/>
<C:calendar-description xmlns:C="urn:ietf:params:xml:ns:caldav"/><A:current-user-privilege-set/><A:displayname/>
<D:getctag xmlns:D="http://calendarserver.org/ns/"/><A:owner/><A:resource-id/><A:resourcetype/>
<C:supported-calendar-component-set xmlns:C="urn:ietf:params:xml:ns:caldav"/><A:supported-report-set/><A:sync-token/></A:prop></A:propfind>`
const etags = `<D:propfind ${namespaces}><D:prop><D:getetag/><D:resourcetype/></D:prop></D:propfind>`
const sync = (token: string, props = '<D:getetag/>', most?: number) =>
  `<D:sync-collection ${namespaces}><D:sync-token>${token}</D:sync-token><D:sync-level>1</D:sync-level>${most ? `<D:limit><D:nresults>${most}</D:nresults></D:limit>` : ''}<D:prop>${props}</D:prop></D:sync-collection>`
/** A new calendar. @returns its path */
async function makeCalendar() {
  const path = `${home}${randomUUID()}/`
  expect((await send('MKCALENDAR', path)).statusCode).toBe(201)
  return path
}

async function ownCalendar() {
  const { responses } = await ask('PROPFIND', home, '1', appleHome)
  for (const [path, { properties }] of responses) {
    const rights = properties.get('current-user-privilege-set')?.children ?? []
    if (path !== home && rights.some((right) => right.children[0]?.name === 'write-content'))
      return path
  }
  throw new Error('there is no calendar to write to')
}

const icsOf = (uid: string, lines: string[], head: string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Apple Inc.//iOS 18.0//EN',
    ...head,
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20310101T000000Z',
    ...lines,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
const single = (uid: string, title = '排练', hour = '19') =>
  icsOf(uid, [
    `DTSTART;TZID=Asia/Shanghai:20310506T${hour}0000`,
    'DURATION:PT1H',
    `SUMMARY:${title}`,
    'X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'DESCRIPTION:Reminder',
    'TRIGGER:-PT30M',
    'END:VALARM',
  ])
const put = (path: string, body: string, headers: Record<string, string> = {}, as?: string) =>
  send('PUT', path, {
    body,
    headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers },
    ...(as && { as }),
  })
const eventsOf = async (day: string) =>
  (await student(schedule.events, { query: { from: day, to: day } })).data.list

test('a client discovers its calendars from the server name alone', async () => {
  for (const method of ['PROPFIND', 'GET', 'OPTIONS']) {
    const found = await send(method, '/.well-known/caldav', { as: '' })
    expect(found.statusCode).toBe(301)
    expect(found.headers.location).toBe('/caldav/')
  }
  const stranger = await send('PROPFIND', '/caldav/', { as: '', body: appleHome })
  expect(stranger.statusCode).toBe(401)
  expect(stranger.headers['www-authenticate']).toMatch(/^Basic realm="/)

  const principal = await ask(
    'PROPFIND',
    '/caldav/',
    '0',
    '<A:propfind xmlns:A="DAV:"><A:prop><A:current-user-principal/><A:principal-URL/><A:resourcetype/></A:prop></A:propfind>',
  )
  const me = principal.responses.get('/caldav/')?.properties.get('current-user-principal')
  expect(me?.children[0]?.text).toBe('/caldav/principals/student/')
  const homes = await ask(
    'PROPFIND',
    '/caldav/principals/student/',
    '0',
    '<A:propfind xmlns:A="DAV:"><A:prop><B:calendar-home-set xmlns:B="urn:ietf:params:xml:ns:caldav"/><B:calendar-user-address-set xmlns:B="urn:ietf:params:xml:ns:caldav"/><A:displayname/></A:prop></A:propfind>',
  )
  const set = homes.responses.get('/caldav/principals/student/')?.properties
  expect(set?.get('calendar-home-set')?.children[0]?.text).toBe(home)
  const options = await send('OPTIONS', home)
  expect(options.headers.dav).toContain('calendar-access')
  expect(options.headers.allow).toContain('MKCALENDAR')

  const { responses } = await ask('PROPFIND', home, '1', appleHome)
  const calendarsFound = [...responses.values()].filter(({ properties }) =>
    properties.get('resourcetype')?.children.some(({ name }) => name === 'calendar'),
  )
  const listed = (await student(calendars.list)).data.filter(({ subscribed }) => subscribed)
  expect(calendarsFound.map(({ text }) => text('displayname'))).toEqual(
    expect.arrayContaining(listed.map(({ name }) => name)),
  )
  const rightsOf = (one: (typeof calendarsFound)[number]) =>
    one.properties
      .get('current-user-privilege-set')
      ?.children.map((right) => right.children[0]?.name)
  const writable = calendarsFound.filter((one) => rightsOf(one)?.includes('write-content'))
  expect(writable.length).toBeGreaterThan(0)
  // Course calendars are read-only.
  expect(calendarsFound.some((one) => !rightsOf(one)?.includes('write'))).toBe(true)
  for (const one of calendarsFound) expect(one.text('getctag')).toBeTruthy()
})

test('an event is created, read unchanged, updated with the current ETag and deleted', async () => {
  const calendar = await ownCalendar()
  const uid = randomUUID().toUpperCase()
  const path = `${calendar}${uid}.ics`
  const created = await put(path, single(uid), { 'if-none-match': '*' })
  expect(created.statusCode, created.body).toBe(201)
  const etag = String(created.headers.etag)
  expect(await eventsOf('2031-05-06')).toMatchObject([{ title: '排练' }])
  const read = await send('GET', path)
  expect(read.body).toBe(single(uid))
  expect(read.headers).toMatchObject({
    etag,
    'content-type': expect.stringContaining('text/calendar'),
  })
  expect((await send('GET', path, { headers: { 'if-none-match': etag } })).statusCode).toBe(304)

  expect((await put(path, single(uid), { 'if-none-match': '*' })).statusCode).toBe(412)
  expect((await put(path, single(uid), { 'if-match': '"other"' })).statusCode).toBe(412)
  const changed = await put(path, single(uid, '排练', '20'), { 'if-match': etag })
  expect(changed.statusCode).toBe(204)
  expect(changed.headers.etag).not.toBe(etag)
  expect((await eventsOf('2031-05-06'))[0]?.startsAt).toBe('2031-05-06T12:00:00.000Z')
  expect((await send('DELETE', path, { headers: { 'if-match': etag } })).statusCode).toBe(412)
  expect((await send('DELETE', path)).statusCode).toBe(204)
  expect((await send('GET', path)).statusCode).toBe(404)
  expect(await eventsOf('2031-05-06')).toEqual([])
  expect((await put(path, single(uid), { 'if-match': etag })).statusCode).toBe(412)
})

test('a change in the portal reaches the client and keeps its alarms and extensions', async () => {
  const calendar = await ownCalendar()
  const uid = randomUUID()
  const path = `${calendar}${uid}.ics`
  const etag = (await put(path, single(uid))).headers.etag
  const [event] = await eventsOf('2031-05-06')
  await student(appointments.update, {
    params: { id: event?.id },
    body: { version: event?.version, title: '合唱排练', startsLocal: '2031-05-06T18:30' },
  })
  const read = await send('GET', path)
  expect(read.headers.etag).not.toBe(etag)
  expect(read.body).toContain('SUMMARY:合唱排练')
  expect(read.body).toContain('DTSTART;TZID=Asia/Shanghai:20310506T183000')
  expect(read.body).toContain('TRIGGER:-PT30M')
  expect(read.body).toContain('X-APPLE-TRAVEL-ADVISORY-BEHAVIOR:AUTOMATIC')
  expect(read.body).not.toContain('METHOD')
  await send('DELETE', path)
})

test('a series keeps its exceptions and changed occurrences in one resource', async () => {
  const calendar = await ownCalendar()
  const uid = randomUUID()
  const path = `${calendar}${uid}.ics`
  const body = icsOf(uid, [
    'DTSTART;TZID=Europe/Berlin:20310303T090000',
    'DTEND;TZID=Europe/Berlin:20310303T100000',
    'RRULE:FREQ=WEEKLY;COUNT=6',
    'EXDATE;TZID=Europe/Berlin:20310317T090000',
    'SUMMARY:读书会',
    'END:VEVENT',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20310101T000000Z',
    'RECURRENCE-ID;TZID=Europe/Berlin:20310310T090000',
    'DTSTART;TZID=Europe/Berlin:20310311T140000',
    'DTEND;TZID=Europe/Berlin:20310311T150000',
    'SUMMARY:读书会（改期）',
    'DESCRIPTION:只有这一次在图书馆',
  ])
  expect((await put(path, body)).statusCode).toBe(201)
  expect((await send('GET', path)).body).toBe(body)
  const { data } = await student(schedule.events, {
    query: { from: '2031-03-01', to: '2031-04-30', timeZone: 'Europe/Berlin' },
  })
  const found = data.list.filter(({ title }) => title.startsWith('读书会'))
  expect(found.map(({ startsAt, title }) => [startsAt, title])).toEqual([
    ['2031-03-03T08:00:00.000Z', '读书会'],
    ['2031-03-11T13:00:00.000Z', '读书会（改期）'],
    ['2031-03-24T08:00:00.000Z', '读书会'],
    // the clocks went forward
    ['2031-03-31T07:00:00.000Z', '读书会'],
    ['2031-04-07T07:00:00.000Z', '读书会'],
  ])
  const event = found[0]
  await student(appointments.update, {
    params: { id: event?.id },
    body: { version: event?.version, scope: 'all', location: '二楼' },
  })
  const after = (await send('GET', path)).body
  expect(after).toContain('EXDATE;TZID=Europe/Berlin:20310317T090000')
  expect(after).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20310310T090000')
  expect(after).toContain('只有这一次在图书馆')
  expect(after.match(/LOCATION:二楼/g)).toHaveLength(2)
  await send('DELETE', path)
})

test('sync-collection reports only changes, including deleted and moved events', async () => {
  const calendar = await ownCalendar()
  let first = await ask('REPORT', calendar, '1', sync(''))
  expect(first.token).toMatch(/^urn:atrium:sync:/)
  // While any transaction runs, even in another test's database, changes made since its start are reported again.
  await expect
    .poll(
      async () => {
        first = await ask('REPORT', calendar, '1', sync(first.token))
        return first.responses.size
      },
      { timeout: 30_000 },
    )
    .toBe(0)
  const uids = [randomUUID(), randomUUID()]
  const [one = '', two = ''] = uids.map((uid) => `${calendar}${uid}.ics`)
  await put(one, single(uids[0] ?? '', '甲'))
  await put(two, single(uids[1] ?? '', '乙', '21'))
  const second = await ask(
    'REPORT',
    calendar,
    '1',
    sync(first.token, '<D:getetag/><C:calendar-data/>'),
  )
  expect([...second.responses.keys()].sort()).toEqual([one, two].sort())
  expect(second.responses.get(one)?.text('calendar-data')?.trim()).toBe(
    single(uids[0] ?? '', '甲').trim(),
  )

  await send('DELETE', one)
  const list = await eventsOf('2031-05-06')
  const made = (
    await student(calendars.create, { body: { key: randomUUID(), name: '社团', color: 'green' } })
  ).data
  await student(appointments.update, {
    params: { id: list[0]?.id },
    body: { version: list[0]?.version, calendarId: made.calendar.id },
  })
  const third = await ask('REPORT', calendar, '1', sync(second.token))
  expect([...third.responses].map(([path, { status }]) => [path, status]).sort()).toEqual(
    [one, two].map((path) => [path, 'HTTP/1.1 404 Not Found']).sort(),
  )
  const { responses } = await ask('PROPFIND', home, '1', appleHome)
  const other = [...responses].find(([, { text }]) => text('displayname') === '社团')?.[0] ?? ''
  const inOther = await ask('PROPFIND', other, '1', etags)
  expect([...inOther.responses.keys()]).toContain(`${other}${uids[1]}.ics`)
  const unknown = await send('REPORT', calendar, {
    body: sync('urn:atrium:sync:1-99'),
    headers: { depth: '1' },
  })
  expect(unknown.statusCode).toBe(403)
  expect(unknown.body).toContain('<d:valid-sync-token/>')
})

/** Synchronises in answers of at most two resources. */
async function syncInParts(calendar: string, token: string) {
  const seen = new Map<string, string | undefined>()
  let answers = 0
  for (;;) {
    const { responses, token: next } = await ask('REPORT', calendar, '1', sync(token, undefined, 2))
    token = next
    answers++
    const isCut = responses.get(calendar)?.status === 'HTTP/1.1 507 Insufficient Storage'
    responses.delete(calendar)
    expect(responses.size).toBeLessThanOrEqual(2)
    for (const [path, { status }] of responses) seen.set(path, status)
    if (!isCut) return { seen, answers, token }
    expect(responses.size).toBe(2)
  }
}

test('a truncated sync response is marked and its token continues without loss', async () => {
  const calendar = await makeCalendar()
  const uids = Array.from({ length: 5 }, () => randomUUID())
  const paths = uids.map((uid) => `${calendar}${uid}.ics`)
  for (const [at, uid] of uids.entries()) await put(paths[at] ?? '', single(uid))
  const first = await ask('REPORT', calendar, '1', sync('', undefined, 2))
  expect(first.responses.get(calendar)?.status).toContain('507')
  expect([...first.responses.keys()]).toEqual([paths[4], paths[3], calendar])
  // Changed while the client continues: reported afterwards.
  await put(paths[4] ?? '', single(uids[4] ?? '', '改'))
  const rest = await syncInParts(calendar, first.token)
  expect([...rest.seen.keys()]).toEqual([paths[2], paths[1], paths[0]])
  const later = await syncInParts(calendar, rest.token)
  expect([...later.seen.keys()]).toContain(paths[4])

  for (const path of paths.slice(0, 2)) await send('DELETE', path)
  await put(paths[2] ?? '', single(uids[2] ?? '', '改'))
  const changes = await syncInParts(calendar, later.token)
  expect(changes.answers).toBeGreaterThan(1)
  expect(paths.slice(0, 3).map((path) => changes.seen.get(path))).toEqual([
    'HTTP/1.1 404 Not Found',
    'HTTP/1.1 404 Not Found',
    undefined,
  ])
  expect(changes.seen.has(paths[2] ?? '')).toBe(true)
  expect((await send('DELETE', calendar)).statusCode).toBe(405)
})

test('a calendar above the list limit returns 507 on PROPFIND and is synced in parts', async () => {
  const { db } = app.platform
  const calendar = await makeCalendar()
  const uid = randomUUID()
  await put(`${calendar}${uid}.ics`, single(uid))
  await sql`
    insert into event (calendar_id, account_id, title, starts_local, minutes, time_zone)
    select calendar_id, account_id, title, starts_local, minutes, time_zone
    from event, generate_series(1, ${maxListed}) where uid = ${uid}`.execute(db)
  const refused = await send('PROPFIND', calendar, { body: etags, headers: { depth: '1' } })
  expect([refused.statusCode, refused.body]).toEqual([
    507,
    expect.stringContaining('number-of-matches-within-limits'),
  ])
  const report = async (token: string) => {
    const { statusCode, body } = await send('REPORT', calendar, { body: sync(token) })
    expect(statusCode).toBe(207)
    return {
      events: body.match(/<d:getetag>/g)?.length,
      isCut: body.includes('HTTP/1.1 507 Insufficient Storage'),
      token: body.match(/<d:sync-token>([^<]+)/)?.[1] ?? '',
    }
  }
  const first = await report('')
  expect(first).toMatchObject({ events: maxListed, isCut: true })
  expect(await report(first.token)).toMatchObject({ events: 1, isCut: false })
  await sql`delete from event where calendar_id = (select calendar_id from event where uid = ${uid})`.execute(
    db,
  )
})

test('events are queried by time range or UID and read with multiget', async () => {
  const calendar = await ownCalendar()
  const uid = randomUUID()
  const path = `${calendar}${uid}.ics`
  await put(path, single(uid, '查询'))
  const query = (inside: string) =>
    `<C:calendar-query ${namespaces}><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR"><C:comp-filter name="VEVENT">${inside}</C:comp-filter></C:comp-filter></C:filter></C:calendar-query>`
  const found = async (inside: string) => [
    ...(await ask('REPORT', calendar, '1', query(inside))).responses.keys(),
  ]
  expect(await found('<C:time-range start="20310506T000000Z" end="20310507T000000Z"/>')).toContain(
    path,
  )
  expect(
    await found('<C:time-range start="20310508T000000Z" end="20310509T000000Z"/>'),
  ).not.toContain(path)
  expect(await found('<C:time-range start="20310101T000000Z"/>')).toContain(path)
  expect(
    await found(`<C:prop-filter name="UID"><C:text-match>${uid}</C:text-match></C:prop-filter>`),
  ).toEqual([path])
  const strange = await send('REPORT', calendar, {
    body: query('<C:prop-filter name="SUMMARY"><C:text-match>x</C:text-match></C:prop-filter>'),
    headers: { depth: '1' },
  })
  expect([strange.statusCode, strange.body]).toEqual([
    403,
    expect.stringContaining('supported-filter'),
  ])
  // Thunderbird sends absolute URLs, and may request deleted ones.
  const multiget = `<C:calendar-multiget ${namespaces}><D:prop><D:getetag/><C:calendar-data/></D:prop><D:href>https://campus.example${path}</D:href><D:href>${calendar}gone.ics</D:href></C:calendar-multiget>`
  const { responses } = await ask('REPORT', calendar, '1', multiget)
  expect(responses.get(path)?.text('calendar-data')?.trim()).toBe(single(uid, '查询').trim())
  expect(responses.get(`${calendar}gone.ics`)?.status).toContain('404')
  await send('DELETE', path)
})

test('the category is read and written, and other categories of a client are kept', async () => {
  const calendar = await ownCalendar()
  const uid = randomUUID()
  const path = `${calendar}${uid}.ics`
  const lines = ['DTSTART:20320203T080000Z', 'DURATION:PT1H', 'SUMMARY:Viva']
  await put(path, icsOf(uid, [...lines, 'CATEGORIES:Exam,Work']))
  const [event] = (await eventsOf('2032-02-03')) ?? []
  const id = event?.id ?? ''
  const read = async () => (await student(schedule.read, { params: { id } })).data
  expect((await read()).category).toBe('Exam')
  const change = async (body: object) =>
    student(appointments.update, {
      params: { id },
      body: { version: (await read()).version, ...body },
    })
  await change({ title: 'Viva voce' })
  expect((await send('GET', path)).body).toContain('CATEGORIES:Exam,Work')
  await change({ category: 'Meeting' })
  const categories = (await send('GET', path)).body.match(/^CATEGORIES:.*$/gm)
  expect(categories).toEqual([expect.stringMatching(/^CATEGORIES:Meeting\s*$/)])
  await send('DELETE', path)
})

test('free-busy-query returns merged busy times without event details', async () => {
  const calendar = await ownCalendar()
  const at = (uid: string, start: string, hours: number, more: string[] = []) =>
    put(
      `${calendar}${uid}.ics`,
      icsOf(uid, [`DTSTART:${start}`, `DURATION:PT${hours}H`, 'SUMMARY:Secret', ...more]),
    )
  const uids = [randomUUID(), randomUUID(), randomUUID()] as const
  await at(uids[0], '20320105T080000Z', 2)
  await at(uids[1], '20320105T093000Z', 2)
  await at(uids[2], '20320106T080000Z', 2, ['TRANSP:TRANSPARENT'])
  const query = (start: string, end: string) =>
    `<C:free-busy-query ${namespaces}><C:time-range start="${start}" end="${end}"/></C:free-busy-query>`
  const answer = await send('REPORT', calendar, {
    body: query('20320105T090000Z', '20320107T000000Z'),
    headers: { depth: '1' },
  })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/calendar')
  // Only times within the range.
  expect(answer.body.split('\r\n').filter((line) => line.startsWith('FREEBUSY'))).toEqual([
    'FREEBUSY;FBTYPE=BUSY:20320105T090000Z/20320105T113000Z',
  ])
  expect(answer.body).not.toContain('Secret')
  for (const body of [
    `<C:free-busy-query ${namespaces}/>`,
    query('20320105T090000Z', '20420105T090000Z'),
    query('20320106T090000Z', '20320105T090000Z'),
  ])
    expect((await send('REPORT', calendar, { body })).statusCode).toBe(403)
  for (const uid of uids) await send('DELETE', `${calendar}${uid}.ics`)
})

test('a client creates and renames a calendar, which keeps its URL', async () => {
  const segment = randomUUID().toUpperCase()
  const path = `${home}${segment}/`
  const make = `<?xml version="1.0"?><B:mkcalendar xmlns:B="urn:ietf:params:xml:ns:caldav"><A:set xmlns:A="DAV:"><A:prop><A:displayname>比赛 &amp; 训练</A:displayname><D:calendar-color xmlns:D="http://apple.com/ns/ical/">#1BADF8FF</D:calendar-color><B:supported-calendar-component-set><B:comp name="VEVENT"/></B:supported-calendar-component-set></A:prop></A:set></B:mkcalendar>`
  expect((await send('MKCALENDAR', path, { body: make })).statusCode).toBe(201)
  expect((await send('MKCALENDAR', path, { body: make })).statusCode).toBe(405)
  const { responses } = await ask('PROPFIND', home, '1', appleHome)
  expect(responses.get(path)?.text('displayname')).toBe('比赛 & 训练')
  expect((await student(calendars.list)).data).toContainEqual(
    expect.objectContaining({ name: '比赛 & 训练', mine: true }),
  )
  const rename = `<D:propertyupdate ${namespaces}><D:set><D:prop><D:displayname>校队</D:displayname></D:prop></D:set></D:propertyupdate>`
  expect(
    (await ask('PROPPATCH', path, '0', rename)).responses.get(path)?.properties.has('displayname'),
  ).toBe(true)
  const order = `<D:propertyupdate ${namespaces}><D:set><D:prop><ical:calendar-order>3</ical:calendar-order></D:prop></D:set></D:propertyupdate>`
  expect((await send('PROPPATCH', path, { body: order })).body).toContain('403 Forbidden')
  const uid = randomUUID()
  expect((await put(`${path}${uid}.ics`, single(uid))).statusCode).toBe(201)
  const tasks = make.replace('name="VEVENT"', 'name="VTODO"')
  expect((await send('MKCALENDAR', `${home}${randomUUID()}/`, { body: tasks })).statusCode).toBe(
    403,
  )
  for (const wrong of ['12', 'invitations', 'a'])
    expect([403, 405]).toContain(
      (await send('MKCALENDAR', `${home}${wrong}/`, { body: make })).statusCode,
    )
})

test('PROPPATCH sets name and colour atomically', async () => {
  const { db } = app.platform
  const path = await makeCalendar()
  const given = (name: string, color: string) =>
    `<D:set><D:prop><D:displayname>${name}</D:displayname><ical:calendar-color>${color}</ical:calendar-color></D:prop></D:set>`
  const update = (name: string, color: string) =>
    send('PROPPATCH', path, {
      body: `<D:propertyupdate ${namespaces}>${given(name, color)}</D:propertyupdate>`,
    })
  const shown = async () => {
    const { responses } = await ask('PROPFIND', path, '0', appleHome)
    const { text } = responses.get(path) ?? {}
    return [text?.('displayname'), text?.('calendar-color')]
  }
  expect((await update('合唱', '#2C63B8')).statusCode).toBe(207)
  await sql`
    create function refuse_color() returns trigger language plpgsql as
      $$ begin raise exception 'no colour'; end $$`.execute(db)
  await sql`
    create trigger refuse_color before update on calendar for each row
      when (old.color <> new.color) execute function refuse_color()`.execute(db)
  expect((await update('校队', '#2A8A5E')).statusCode).toBe(500)
  expect(await shown()).toEqual(['合唱', '#2C63B8FF'])
  await sql`drop function refuse_color() cascade`.execute(db)
  expect((await update('校队', '#2A8A5E')).statusCode).toBe(207)
  expect(await shown()).toEqual(['校队', '#2A8A5EFF'])
})

test('invalid or unsupported requests are rejected with a reason and change nothing', async () => {
  const calendar = await ownCalendar()
  const state = async () =>
    (
      await sql`select (select json_agg(c order by id) from calendar c)::text as calendars,
        (select json_agg(e order by id) from event e)::text as events,
        (select count(*) from event_occurrence) as occurrences`.execute(app.platform.db)
    ).rows
  const before = await state()
  const refusalOf = async (body: string) => {
    const answer = await put(`${calendar}${randomUUID()}.ics`, body)
    expect(answer.statusCode).toBe(403)
    return answer.body
  }
  const start = ['DTSTART:20310506T100000Z', 'DTEND:20310506T110000Z', 'SUMMARY:x']
  const uid = randomUUID()
  expect(await refusalOf('not a calendar')).toContain('valid-calendar-data')
  expect(await refusalOf(icsOf(uid, [...start, 'RDATE:20310508T100000Z']))).toContain('RDATE')
  expect(
    await refusalOf(
      icsOf(uid, [...start, 'RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=WEEKLY;COUNT=2']),
    ),
  ).toContain('several recurrence rules')
  expect(await refusalOf(icsOf(uid, ['SUMMARY:x']))).toContain('no start')
  expect(await refusalOf(icsOf(uid, start).replaceAll('VEVENT', 'VTODO'))).toContain(
    'supported-calendar-component',
  )
  const two = icsOf(uid, [...start, 'END:VEVENT', 'BEGIN:VEVENT', `UID:${randomUUID()}`, ...start])
  expect(await refusalOf(two)).toContain('valid-calendar-object-resource')
  expect(await state()).toEqual(before)
  const path = `${calendar}${uid}.ics`
  await put(path, icsOf(uid, start))
  const withEvent = await state()
  expect(await refusalOf(icsOf(uid, start))).toContain('no-uid-conflict')
  const large = icsOf(uid, [...start, `DESCRIPTION:${'x'.repeat(600_000)}`])
  expect((await put(path, large)).statusCode).toBe(413)
  const bomb =
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><D:propfind xmlns:D="DAV:"><D:prop><D:displayname/></D:prop></D:propfind>'
  expect((await send('PROPFIND', home, { body: bomb, headers: { depth: '0' } })).statusCode).toBe(
    400,
  )
  const deep = `${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`
  expect((await send('PROPFIND', home, { body: deep, headers: { depth: '0' } })).statusCode).toBe(
    400,
  )
  expect((await send('PROPFIND', home, { headers: { depth: 'infinity' } })).statusCode).toBe(403)
  expect((await send('PATCH', path, { body: 'x' })).statusCode).toBe(405)
  expect(await state()).toEqual(withEvent)
  await send('DELETE', path)
})

test('other members’ calendars are inaccessible, and course calendars read-only', async () => {
  const teacher = await app.as('teacher')
  const other = (await newPassword(teacher, 'teacher')).header
  const calendar = await ownCalendar()
  const segment = calendar.split('/').at(-2)
  const uid = randomUUID()
  await put(`${calendar}${uid}.ics`, single(uid))
  for (const path of [home, calendar, '/caldav/principals/student/'])
    expect((await send('PROPFIND', path, { as: other, headers: { depth: '0' } })).statusCode).toBe(
      404,
    )
  const asTheirs = `/caldav/calendars/teacher/${segment}/`
  expect(
    (await send('PROPFIND', asTheirs, { as: other, headers: { depth: '1' } })).statusCode,
  ).toBe(404)
  expect((await send('GET', `${asTheirs}${uid}.ics`, { as: other })).statusCode).toBe(404)
  expect((await put(`${asTheirs}${uid}.ics`, single(uid), {}, other)).statusCode).toBe(404)
  expect((await send('DELETE', `${asTheirs}${uid}.ics`, { as: other })).statusCode).toBe(404)

  const { data } = await student(calendars.list)
  const course = data.find(({ kind, mine }) => kind === 'course' && !mine)
  const path = `${home}${course?.id}/`
  const { responses } = await ask('PROPFIND', path, '1', etags)
  const lesson = [...responses.keys()].find((one) => one !== path) ?? ''
  expect((await send('GET', lesson)).body).toContain('BEGIN:VEVENT')
  const refused = await put(`${path}${randomUUID()}.ics`, single(randomUUID()))
  expect([refused.statusCode, refused.body]).toEqual([
    403,
    expect.stringContaining('need-privileges'),
  ])
  expect((await send('DELETE', lesson)).statusCode).toBe(403)
  await send('DELETE', `${calendar}${uid}.ics`)
})

test('an attendee sees the invitation and is notified when a client moves the event', async () => {
  const teacher = await app.as('teacher')
  const other = (await newPassword(teacher, 'teacher')).header
  const uid = randomUUID()
  const made = await student(appointments.create, {
    body: {
      uid,
      title: '论文讨论',
      startsLocal: '2031-06-02T10:00',
      minutes: 60,
      participants: [{ accountName: 'teacher' }],
    },
  })
  const id = made.data.id
  const invitations = '/caldav/calendars/teacher/invitations/'
  const { responses } = await ask('PROPFIND', invitations, '1', etags, { as: other })
  const path = `${invitations}event-${id}.ics`
  expect([...responses.keys()]).toContain(path)
  const quiet = { as: other, headers: { 'schedule-reply': 'F' } }
  expect((await send('DELETE', path, quiet)).statusCode).toBe(403)
  await teacher(appointments.respond, { params: { id }, body: { answer: 'yes' } })

  const calendar = await ownCalendar()
  const own = `${calendar}event-${id}.ics`
  const body = (await send('GET', own)).body
  const later = body.replaceAll('20310602T1', '20310603T1')
  expect((await put(own, later)).statusCode).toBe(204)
  const detail = await student(schedule.read, { params: { id } })
  expect(detail.data.participants).toMatchObject([{ accountName: 'teacher', answer: 'none' }])
  const told = await app.platform.db
    .selectFrom('message')
    .select('title')
    .where('title', 'like', '%更改了日程：论文讨论%')
    .execute()
  expect(told).toHaveLength(1)
  await teacher(appointments.respond, { params: { id }, body: { answer: 'no' } })
  expect((await send('GET', path, { as: other })).statusCode).toBe(404)
  await send('DELETE', own)
})
