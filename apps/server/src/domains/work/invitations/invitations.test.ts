import { appointments } from '@atrium/contract/work/appointments'
import { messages } from '@atrium/contract/work/messages'
import { schedule } from '@atrium/contract/work/schedule'
import ICAL from 'ical.js'
import { ImapFlow } from 'imapflow'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startOutbox } from '#platform/delivery/outbox-worker.ts'
import { metrics } from '#platform/metrics.ts'
import type { Platform } from '#platform/platform.ts'
import { type Dovecot, hasDovecot, startDovecot } from '../../../../test/dovecot.ts'
import { mailServer } from '../../../../test/mail-server.ts'
import { type Caller, openNode, testApp } from '../../../../test/test-app.ts'
import { readReplies } from './read-replies.ts'
import { maxPerDay, startInvitations } from './worker.ts'

const app = await testApp()
const { db } = app.platform
const server = await mailServer()
let student: Caller
let node: Awaited<ReturnType<typeof openNode>>
let dovecot: Dovecot | undefined
const stops: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  student = await app.as('student')
  dovecot = hasDovecot ? await startDovecot(['calendar']) : undefined
  node = await openNode(app.url, {
    ATRIUM_DEMO: '0',
    ATRIUM_MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    ATRIUM_MAIL_FROM: 'Jianglan <portal@jianglan.example>',
    ATRIUM_MAIL_REPLIES: `imap://calendar:own-calendar@127.0.0.1:${dovecot?.port ?? 1}/INBOX?tls=off`,
    ATRIUM_MAIL_REPLY_TO: 'calendar+{token}@jianglan.example',
    ATRIUM_OUTBOUND_ALLOW: `127.0.0.1/32:${server.port},127.0.0.1/32:${dovecot?.port ?? 1}`,
  })
  const workers = [startOutbox(node.platform), startInvitations(node.platform)]
  stops.push(
    async () => {
      for (const worker of workers) await worker.stop()
    },
    () => node.app.close(),
    () => node.platform.close(),
    async () => dovecot?.stop(),
  )
})
afterAll(async () => {
  for (const stop of stops) await stop()
})

let keys = 0
async function create(more: object = {}) {
  const answer = await student(appointments.create, {
    body: {
      uid: `invitation-test-${++keys}`,
      title: 'Review',
      startsLocal: '2031-03-04T14:00',
      minutes: 90,
      timeZone: 'Asia/Shanghai',
      ...more,
    },
  })
  expect(answer).toMatchObject({ status: 200 })
  return answer.data.id
}
const read = async (id: string) => (await student(schedule.read, { params: { id } })).data
const update = async (id: string, body: object) => {
  const { version } = await read(id)
  const answer = await student(appointments.update, { params: { id }, body: { version, ...body } })
  expect(answer).toMatchObject({ status: 200 })
}

/** The mail as a client receives it: its headers, and the calendar part among the alternatives. */
function partsOf(mail: { text: string }) {
  const boundary = /boundary="?([^"\r\n]+)"?/g
  const marks = [...mail.text.matchAll(boundary)].map(([, mark = '']) => `--${mark}`)
  const parts = mail.text.split(new RegExp(marks.map(RegExp.escape).join('|')))
  return parts.map((part) => {
    const [head = '', ...rest] = part.trimStart().split('\r\n\r\n')
    const body = rest.join('\r\n\r\n').trimEnd()
    return {
      head,
      body: /base64/i.test(head) ? Buffer.from(body, 'base64').toString('utf8') : body,
    }
  })
}
function calendarOf(mail: { text: string }) {
  const part = partsOf(mail).find(({ head }) => /^Content-Type: text\/calendar/im.test(head))
  const text = part?.body.replaceAll(/=\r\n/g, '') ?? ''
  const decoded = /quoted-printable/i.test(part?.head ?? '')
    ? Buffer.from(
        text.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
        'latin1',
      ).toString('utf8')
    : (part?.body ?? '')
  const calendar = new ICAL.Component(ICAL.parse(decoded) as never)
  const [event] = calendar.getAllSubcomponents('vevent')
  const value = (name: string) => String(event?.getFirstPropertyValue(name) ?? '')
  return { head: part?.head ?? '', text: decoded, calendar, event, value }
}
const mailsTo = (email: string) => server.mails.filter(({ to }) => to[0] === email)
const nthMail = (email: string, count: number) =>
  vi.waitFor(
    () => {
      const found = mailsTo(email)
      expect(found).toHaveLength(count)
      return found[count - 1] as (typeof server.mails)[number]
    },
    { timeout: 20_000, interval: 50 },
  )
const outside = (email: string, name = 'Ada Outside') => ({ participants: [{ email, name }] })

describe('mails to external participants', () => {
  test('an invitation contains a valid iCalendar REQUEST', async () => {
    await create({
      ...outside('ada@example.org'),
      title: 'Review 评审',
      location: 'A301',
      rrule: 'FREQ=WEEKLY;COUNT=4',
    })
    const mail = await nthMail('ada@example.org', 1)
    expect(mail.text).toMatch(/^Content-Type: multipart\/mixed/m)
    expect(mail.text).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(mail.text).toMatch(/filename=invite\.ics/)
    const { head, calendar, value, event, text } = calendarOf(mail)
    expect(head).toMatch(/^Content-Type: text\/calendar; charset=utf-8; method=REQUEST/im)
    expect(calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(value('summary')).toBe('Review 评审')
    expect(value('rrule')).toBe('FREQ=WEEKLY;COUNT=4')
    expect(value('sequence')).toBe('0')
    expect(calendar.getFirstSubcomponent('vtimezone')?.getFirstPropertyValue('tzid')).toBe(
      'Asia/Shanghai',
    )
    expect(value('organizer')).toMatch(/^mailto:calendar\+[0-9a-f]{32}@jianglan\.example$/)
    const attendee = event?.getFirstProperty('attendee')
    expect(attendee?.getFirstValue()).toBe('mailto:ada@example.org')
    expect(attendee?.getFirstParameter('partstat')).toBe('NEEDS-ACTION')
    expect(attendee?.getFirstParameter('rsvp')).toBe('TRUE')
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  })

  test('changed times raise SEQUENCE, changed titles do not; reminders send no mail', async () => {
    const id = await create({ ...outside('bob@example.org'), rrule: 'FREQ=WEEKLY;COUNT=4' })
    const first = calendarOf(await nthMail('bob@example.org', 1))
    await update(id, { reminders: [30], busy: true })
    await update(id, { title: 'Review, part two' })
    const words = calendarOf(await nthMail('bob@example.org', 2))
    expect(words.value('summary')).toBe('Review, part two')
    expect(words.value('sequence')).toBe(first.value('sequence'))
    await student(appointments.remove, {
      params: { id },
      query: { scope: 'this', originalLocal: '2031-03-11T14:00' },
    })
    const times = calendarOf(await nthMail('bob@example.org', 3))
    expect(times.event?.getFirstProperty('exdate')?.toICALString()).toBe(
      'EXDATE;TZID=Asia/Shanghai:20310311T140000',
    )
    expect(Number(times.value('sequence'))).toBeGreaterThan(Number(words.value('sequence')))
    expect(times.value('sequence')).toBe(String((await read(id)).version))
    await update(id, {
      scope: 'this',
      originalLocal: '2031-03-18T14:00',
      startsLocal: '2031-03-18T16:00',
    })
    const moved = calendarOf(await nthMail('bob@example.org', 4))
    expect(
      moved.calendar
        .getAllSubcomponents('vevent')[1]
        ?.getFirstProperty('recurrence-id')
        ?.toICALString(),
    ).toBe('RECURRENCE-ID;TZID=Asia/Shanghai:20310318T140000')
  })

  test('removed participants get a CANCEL, and all of them when the event is deleted', async () => {
    const id = await create({
      participants: [{ email: 'cem@example.org' }, { email: 'dai@example.org' }],
    })
    await nthMail('cem@example.org', 1)
    await nthMail('dai@example.org', 1)
    await update(id, outside('dai@example.org'))
    const removed = calendarOf(await nthMail('cem@example.org', 2))
    expect(removed.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(removed.head).toMatch(/method=CANCEL/)
    expect(removed.value('status')).toBe('CANCELLED')
    expect(removed.value('sequence')).toBe('1')
    expect(mailsTo('dai@example.org')).toHaveLength(1)
    await student(appointments.remove, { params: { id } })
    const gone = calendarOf(await nthMail('dai@example.org', 2))
    expect(gone.calendar.getFirstPropertyValue('method')).toBe('CANCEL')
    expect(mailsTo('cem@example.org')).toHaveLength(2)
  })

  test('a re-invited participant gets a REQUEST with a higher SEQUENCE than the CANCEL', async () => {
    const id = await create(outside('eve@example.org'))
    await nthMail('eve@example.org', 1)
    await update(id, { participants: [] })
    await nthMail('eve@example.org', 2)
    await update(id, outside('eve@example.org'))
    const again = calendarOf(await nthMail('eve@example.org', 3))
    expect(again.calendar.getFirstPropertyValue('method')).toBe('REQUEST')
    expect(again.value('sequence')).toBe('2')
  })

  test('a past event sends no invitations', async () => {
    await create({ ...outside('late@example.org'), startsLocal: '2020-03-04T14:00' })
    await create(outside('after-late@example.org'))
    await nthMail('after-late@example.org', 1)
    expect(mailsTo('late@example.org')).toHaveLength(0)
  })

  test('invitations of one member to external participants are limited per day', async () => {
    await sql`update invitation set invited_at = null`.execute(db)
    const people = Array.from({ length: maxPerDay + 5 }, (_, at) => ({
      email: `crowd${at}@example.org`,
    }))
    await create({ participants: people })
    const sent = () => server.mails.filter(({ to }) => to[0]?.startsWith('crowd')).length
    await vi.waitFor(() => expect(sent()).toBe(maxPerDay), { timeout: 30_000 })
    const { rows } = await sql<{ waiting: number }>`
      select count(*)::integer as waiting from invitation
      where due_at > now() + interval '50 minutes' and email like 'crowd%'`.execute(db)
    expect(rows[0]?.waiting).toBe(5)
    await sql`update invitation set invited_at = now() - interval '2 days', due_at = null`.execute(
      db,
    )
  })
})

type Answering = {
  email: string
  partstat?: string
  more?: string
  sequence?: number
  stamp?: string
  token?: string
}
/** The reply a calendar program makes to an invitation. */
function replyTo(
  mail: { text: string },
  { email, partstat = 'ACCEPTED', more = '', ...other }: Answering,
) {
  const { value } = calendarOf(mail)
  const organizer = other.token
    ? `mailto:calendar+${other.token}@jianglan.example`
    : value('organizer')
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Elsewhere//EN',
    'METHOD:REPLY',
    'BEGIN:VEVENT',
    `UID:${value('uid')}`,
    `ORGANIZER:${organizer}`,
    `ATTENDEE;PARTSTAT=${partstat}:mailto:${email}`,
    `DTSTAMP:${other.stamp ?? '20260301T080000Z'}`,
    `SEQUENCE:${other.sequence ?? value('sequence')}`,
    ...(more ? [more] : []),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
}
const mime = (calendar: string, to = 'calendar@jianglan.example') =>
  [
    'From: somebody@example.org',
    `To: ${to}`,
    'Subject: Accepted',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=mark',
    '',
    '--mark',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'Yes',
    '--mark',
    'Content-Type: text/calendar; charset=utf-8; method=REPLY',
    'Content-Transfer-Encoding: base64',
    '',
    ...(Buffer.from(calendar)
      .toString('base64')
      .match(/.{1,76}/g) ?? []),
    '--mark--',
    '',
  ].join('\r\n')

async function mailbox<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
  const client = new ImapFlow({
    host: '127.0.0.1',
    port: dovecot?.port ?? 0,
    secure: false,
    doSTARTTLS: false,
    auth: { user: 'calendar', pass: 'own-calendar' },
    logger: false,
  })
  await client.connect()
  await client.mailboxOpen('INBOX')
  try {
    return await work(client)
  } finally {
    client.close()
  }
}
const put = (...mails: string[]) =>
  mailbox(async (client) => {
    for (const mail of mails) await client.append('INBOX', mail)
  })
const flagsOf = () =>
  mailbox(async (client) => {
    const found: string[][] = []
    for await (const { flags } of client.fetch('1:*', { flags: true }))
      found.push([...(flags ?? [])].sort())
    return found
  })
const empty = () =>
  mailbox(async (client) => {
    await client.messageDelete('1:*')
  })
async function counted(result: string) {
  const found = await metrics.getSingleMetric('atrium_calendar_replies_total')?.get()
  return found?.values.find(({ labels }) => labels.result === result)?.value ?? 0
}
const answerOf = async (id: string) => {
  const [one] = (await read(id)).participants
  return { answer: one?.answer, comment: one?.comment }
}
const titlesOf = async () =>
  (await student(messages.list, { query: { pageSize: 5 } })).data.list.map(({ title }) => title)
const look = (platform: Platform = node.platform) => readReplies(platform)

describe.skipIf(!hasDovecot)('replies by mail', () => {
  const invite = async (email: string, more: object = {}) => {
    const id = await create({ ...outside(email), title: `For ${email}`, ...more })
    return { id, mail: await nthMail(email, 1) }
  }

  test('are stored, notify the organiser and are marked as seen', async () => {
    const { id, mail } = await invite('fay@example.org')
    await put(
      mime(replyTo(mail, { email: 'Fay@Example.org', more: 'COMMENT:With pleasure\\, 谢谢' })),
    )
    await look()
    expect(await answerOf(id)).toEqual({ answer: 'yes', comment: 'With pleasure, 谢谢' })
    expect(await titlesOf()).toContain('Ada Outside 参加：For fay@example.org')
    expect(await flagsOf()).toEqual([['\\Seen']])
    // An answer does not change the event, so no mail is sent.
    await create(outside('after-fay@example.org'))
    await nthMail('after-fay@example.org', 1)
    expect(mailsTo('fay@example.org')).toHaveLength(1)
    await empty()
  })

  test('are applied once, in the order of their timestamps', async () => {
    const { id, mail } = await invite('gus@example.org')
    const answer = (partstat: string, stamp: string) =>
      mime(replyTo(mail, { email: 'gus@example.org', partstat, stamp }))
    await put(answer('DECLINED', '20260301T100000Z'), answer('ACCEPTED', '20260301T090000Z'))
    await look()
    expect((await answerOf(id)).answer).toBe('no')
    await put(answer('TENTATIVE', '20260301T110000Z'))
    await look()
    expect((await answerOf(id)).answer).toBe('maybe')
    // The same mail again, as after a node that crashed before marking it.
    const older = await counted('older')
    await put(answer('TENTATIVE', '20260301T110000Z'))
    await look()
    expect(await counted('older')).toBe(older + 1)
    // A reply from a clock far ahead does not block later ones.
    await put(answer('ACCEPTED', '20990101T000000Z'))
    await look()
    expect((await answerOf(id)).answer).toBe('yes')
    const soon = new Date(Date.now() + 5000).toISOString().replaceAll(/[-:]|\.\d+/g, '')
    await put(answer('DECLINED', soon))
    await look()
    expect((await answerOf(id)).answer).toBe('no')
    await empty()
  })

  test('to an outdated time are ignored', async () => {
    const { id, mail } = await invite('hal@example.org')
    await update(id, { startsLocal: '2031-03-05T09:00' })
    await nthMail('hal@example.org', 2)
    await put(mime(replyTo(mail, { email: 'hal@example.org' })))
    await look()
    expect((await answerOf(id)).answer).toBe('none')
    const newer = mailsTo('hal@example.org')[1] ?? { text: '' }
    await put(mime(replyTo(newer, { email: 'hal@example.org' })))
    await look()
    expect((await answerOf(id)).answer).toBe('yes')
    await empty()
  })

  test('with another sender or a wrong token change nothing and are flagged', async () => {
    const { id, mail } = await invite('ida@example.org')
    const other = await invite('jon@example.org')
    const { value } = calendarOf(other.mail)
    const tokenOfOther = /\+([0-9a-f]{32})@/.exec(value('organizer'))?.[1] ?? ''
    const [forged, unknown] = [await counted('forged'), await counted('unknown')]
    await put(
      mime(replyTo(mail, { email: 'mallory@example.org' })),
      mime(replyTo(mail, { email: 'ida@example.org', token: tokenOfOther })),
      mime(replyTo(mail, { email: 'ida@example.org', token: '0'.repeat(32) })),
      mime(
        replyTo(mail, { email: 'ida@example.org' }).replace(
          /ORGANIZER:.*/,
          'ORGANIZER:mailto:portal@jianglan.example',
        ),
      ),
    )
    await look()
    expect((await answerOf(id)).answer).toBe('none')
    expect((await answerOf(other.id)).answer).toBe('none')
    expect(await counted('forged')).toBe(forged + 2)
    expect(await counted('unknown')).toBe(unknown + 2)
    expect(await flagsOf()).toEqual(Array(4).fill(['\\Flagged', '\\Seen']))
    await empty()
  })

  test('are matched by recipient address when the client names another organiser', async () => {
    const { id, mail } = await invite('kim@example.org')
    const address = calendarOf(mail).value('organizer').slice('mailto:'.length)
    const text = replyTo(mail, { email: 'kim@example.org' }).replace(
      /ORGANIZER:.*/,
      'ORGANIZER:mailto:portal@jianglan.example',
    )
    await put(mime(text, `Somebody <${address}>`))
    await look()
    expect((await answerOf(id)).answer).toBe('yes')
    await empty()
  })

  test('to one occurrence notify the organiser and keep the answer of the series', async () => {
    const { id, mail } = await invite('lea@example.org', { rrule: 'FREQ=WEEKLY;COUNT=4' })
    await put(
      mime(
        replyTo(mail, {
          email: 'lea@example.org',
          partstat: 'DECLINED',
          more: 'RECURRENCE-ID:20310311T060000Z',
        }),
      ),
    )
    await look()
    expect((await answerOf(id)).answer).toBe('none')
    const { data } = await student(messages.list, { query: { pageSize: 1 } })
    expect(data.list[0]?.title).toBe('Ada Outside 不参加：For lea@example.org')
    expect(JSON.stringify(data.list[0])).toContain('3月11日')
    await empty()
  })

  test('are not read from oversized, broken, forwarded or unrelated mails', async () => {
    const { id, mail } = await invite('mia@example.org')
    const good = replyTo(mail, { email: 'mia@example.org' })
    const forwarded = [
      'From: a@example.org',
      'To: calendar@jianglan.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=outer',
      '',
      '--outer',
      'Content-Type: message/rfc822',
      '',
      mime(good),
      '--outer--',
      '',
    ].join('\r\n')
    await put(
      mime(good.replace('END:VEVENT', `X-MUCH:${'x'.repeat(300_000)}\r\nEND:VEVENT`)),
      mime('BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nBEGIN:VEVENT\r\nDTSTAMP:nonsense\r\n'),
      mime(good.replace('METHOD:REPLY', 'METHOD:REQUEST')),
      mime(
        good.replace(
          'END:VEVENT',
          'ATTENDEE;PARTSTAT=DECLINED:mailto:other@example.org\r\nEND:VEVENT',
        ),
      ),
      forwarded,
      'From: a@example.org\r\nSubject: Out of office\r\n\r\nI am away.\r\n',
    )
    await look()
    expect((await answerOf(id)).answer).toBe('none')
    expect(await flagsOf()).toEqual(Array(6).fill(['\\Flagged', '\\Seen']))
    await empty()
  })

  test('stay unseen while the database rejects them, and are applied later', async () => {
    const { id, mail } = await invite('ned@example.org')
    await put(mime(replyTo(mail, { email: 'ned@example.org' })))
    await sql`alter table invitation add constraint broken check (answered_stamp is null) not valid`.execute(
      db,
    )
    const failed = await counted('failed')
    await look()
    expect(await counted('failed')).toBe(failed + 1)
    expect(await flagsOf()).toEqual([[]])
    await sql`alter table invitation drop constraint broken`.execute(db)
    await look()
    expect(await flagsOf()).toEqual([[]])
    await sql`update invitation_reply set next_at = now()`.execute(db)
    await look()
    expect((await answerOf(id)).answer).toBe('yes')
    expect(await flagsOf()).toEqual([['\\Seen']])
    await empty()
  })

  test('that keep failing do not block later ones and are flagged in the end', async () => {
    const bad = await invite('poison@example.org')
    const good = await invite('pia@example.org')
    const batch = 3
    const failing = Array.from({ length: 2 * batch + 1 }, (_, at) =>
      mime(replyTo(bad.mail, { email: 'poison@example.org', stamp: `20260301T08000${at}Z` })),
    )
    await put(...failing, mime(replyTo(good.mail, { email: 'pia@example.org' })))
    await sql`alter table invitation add constraint broken
      check (answered_stamp is null or email <> 'poison@example.org') not valid`.execute(db)
    const [failed, givenUp] = [await counted('failed'), await counted('given_up')]
    for (let at = 0; at < 3; at++) await readReplies(node.platform, batch)
    expect((await answerOf(good.id)).answer).toBe('yes')
    expect(await counted('failed')).toBe(failed + failing.length)
    // None of them is due, so nothing is read again.
    await readReplies(node.platform, batch)
    expect(await counted('failed')).toBe(failed + failing.length)
    expect(await flagsOf()).toEqual([...failing.map(() => []), ['\\Seen']])
    for (let at = 0; at < 7; at++) {
      await sql`update invitation_reply set next_at = now()`.execute(db)
      await look()
    }
    expect(await counted('given_up')).toBe(givenUp + failing.length)
    expect(await flagsOf()).toEqual([...failing.map(() => ['\\Flagged', '\\Seen']), ['\\Seen']])
    expect((await sql`select from invitation_reply`.execute(db)).rows).toHaveLength(0)
    await sql`alter table invitation drop constraint broken`.execute(db)
    await empty()
  })

  test('are read in the next run after the mailbox was unreachable, which is counted', async () => {
    const { id, mail } = await invite('ola@example.org')
    await put(mime(replyTo(mail, { email: 'ola@example.org' })))
    const before = await counted('unreachable')
    for (const address of [`calendar:wrong@127.0.0.1:${dovecot?.port}`, 'calendar@127.0.0.1:1'])
      await look({
        ...node.platform,
        env: { ...node.platform.env, ATRIUM_MAIL_REPLIES: `imap://${address}/?tls=off` },
      })
    expect(await counted('unreachable')).toBe(before + 2)
    expect((await answerOf(id)).answer).toBe('none')
    expect(await flagsOf()).toEqual([[]])
    await look()
    expect((await answerOf(id)).answer).toBe('yes')
    await empty()
  })
})
