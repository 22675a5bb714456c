import { news } from '@atrium/contract/content/news'
import { permissions } from '@atrium/contract/define'
import { services as serviceEndpoints } from '@atrium/contract/services/services'
import { config } from '@atrium/contract/shell/config'
import { home } from '@atrium/contract/shell/home'
import { launch } from '@atrium/contract/shell/launch'
import { messages } from '@atrium/contract/work/messages'
import { contentKind } from '@atrium/rules/opening-page'
import { themeValidAt } from '@atrium/rules/theme-validity'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { testApp } from '../test/test-app.ts'
import { setCampus } from './campus.ts'
import { addDays, dayOf, daysBetween, weekdayOf } from './dates.ts'
import { launchItemsAt } from './launch.ts'
import { launchPictures } from './launch-pictures.ts'
import { generatedMembers, groups, namedMembers } from './members.ts'
import { messageApps, messagesAt } from './messages.ts'
import { articlesAt, columns } from './news.ts'
import { organization } from './organizations.ts'
import { cardsAt } from './personal.ts'
import { pictures } from './pictures.ts'
import { calendarsAt, eventsAt } from './schedule.ts'
import { services } from './services.ts'
import { settings } from './settings.ts'
import { actionsEnglish, stepsEnglish } from './task-words-english.ts'
import { actionsOf, tasksAt } from './tasks.ts'
import { taskSourcesEnglish, tasksEnglish } from './tasks-english.ts'
import { timetable } from './timetable.ts'

const now = new Date('2026-11-23T08:10:00+08:00')

test('services link to the demo systems while these exist, and edited addresses are kept', async () => {
  const { platform } = await testApp()
  const { db, secret } = platform
  const urls = async () => {
    const rows = await db.selectFrom('service').select(['name', 'url']).execute()
    return new Map(rows.map(({ name, url }) => [name, url]))
  }
  const before = await urls()
  const own = 'https://own.example.edu/x'
  await db.updateTable('service').set({ url: own }).where('name', '=', '食堂').execute()
  await setCampus(db, secret, { url: 'http://localhost:8081', secret: 'x'.repeat(32) })
  await setCampus(db, secret, { url: 'http://localhost:9091', secret: 'y'.repeat(32) })
  const pointed = await urls()
  expect(pointed.get('成绩查询')).toBe('http://localhost:9091/jw/score')
  expect(pointed.get('食堂')).toBe(own)
  for (const name of ['竞赛与创新训练', '通讯录']) expect(pointed.get(name)).toBe(before.get(name))
  await setCampus(db, secret, undefined)
  expect((await urls()).get('成绩查询')).toBe(before.get('成绩查询'))
})

test('messages, tasks and favourites follow the address of the demo systems', async () => {
  const { platform } = await testApp()
  const { db, secret } = platform
  const leading = async (to: string) => {
    const { rows } = await sql<{ count: number }>`select
      (select count(*) from message where url like ${to} or actions::text like ${to})
      + (select count(*) from task where url like ${to}) + (select count(*) from service_page where url like ${to})
      + (select count(*) from file_favourite where file_link like ${to})
      + (select count(*) from personal_card where value::text like ${to}) as count`.execute(db)
    return Number(rows[0]?.count)
  }
  const all = await leading('%.jianglan.example/%')
  expect(all).toBeGreaterThan(100)
  for (const port of ['8081', '9091']) {
    await setCampus(db, secret, { url: `http://localhost:${port}`, secret: 'x'.repeat(32) })
    expect(await leading('%.jianglan.example/%')).toBe(0)
    expect(await leading(`%http://localhost:${port}/%`)).toBe(all)
  }
  await setCampus(db, secret, undefined)
  expect(await leading('%.jianglan.example/%')).toBe(all)
})

test('every open task of the demo accounts has at least one action', () => {
  const open = tasksAt(now).flatMap(({ title, status, steps }) =>
    status === 'progress'
      ? steps
          .filter(
            ({ username, kind, doneAt }) =>
              /^(student|teacher|staff|admin)$/.test(username) && kind === 'handle' && !doneAt,
          )
          .map((step) => ({ title, actions: actionsOf(step).length }))
      : [],
  )
  expect(open.length).toBeGreaterThan(8)
  expect(open.filter(({ actions }) => actions === 0)).toEqual([])
})

describe('the demo data', () => {
  test('has the expected number of members, services, columns, articles and settings', () => {
    expect(generatedMembers).toHaveLength(2000)
    expect(services).toHaveLength(120)
    expect(columns).toHaveLength(6)
    expect(articlesAt(now)).toHaveLength(150)
    expect(Object.keys(settings(new Date())).length).toBeGreaterThan(10)
  })

  test('references only existing organisations, groups, pictures and message apps', () => {
    const groupCodes = new Set(groups.map(({ code }) => code))
    for (const { organizationCode, groupCodes: own } of [...namedMembers, ...generatedMembers]) {
      organization(organizationCode)
      for (const code of own) expect(groupCodes).toContain(code)
    }
    for (const { departmentCode } of services) organization(departmentCode)
    for (const { departmentCode, picture } of articlesAt(now)) {
      organization(departmentCode)
      if (picture) expect(Object.keys(pictures)).toContain(picture)
    }
    const apps = new Set(messageApps.map(({ code }) => code))
    for (const { appCode } of messagesAt(now)) expect(apps).toContain(appCode)
  })

  test('translates the messages of its named accounts into English', () => {
    const named = new Set<string>(namedMembers.map(({ username }) => username))
    const mute = messagesAt(now).filter(
      ({ to, titleEn, summaryEn, asks }) =>
        to.some(({ username }) => named.has(username)) &&
        !(asks?.titleEn || (titleEn && summaryEn)),
    )
    expect(mute.map(({ title }) => title)).toEqual([])
    for (const { titleEn, summaryEn } of messagesAt(now))
      expect(`${titleEn} ${summaryEn}`).not.toMatch(/\p{Script=Han}|\{/u)
  })

  test('translates its tasks into English', () => {
    const mute = tasksAt(now).filter(
      ({ title, source }) => !tasksEnglish[title] || !taskSourcesEnglish[source],
    )
    expect(mute.map(({ title, source }) => `${title} ${source}`)).toEqual([])
    const hasChinese = (text: string) => /\p{Script=Han}/u.test(text)
    const untranslated = tasksAt(now).flatMap(({ form, steps }) => [
      ...form.flatMap(({ label, labelEn, value, valueEn }) => [
        labelEn ? '' : label,
        hasChinese(value) && !valueEn ? value : '',
      ]),
      ...steps.flatMap(({ name, action }) => [
        stepsEnglish[name] ? '' : name,
        action && !actionsEnglish[action] ? action : '',
      ]),
    ])
    expect([...new Set(untranslated)].filter(Boolean)).toEqual([])
    // Records name only people with an account in English.
    const [scholarship] = tasksAt(now)
    const review = scholarship?.steps.find(({ name }) => name === '学校审核')
    expect(generatedMembers.map(({ username }) => username)).toContain(review?.username)
  })

  test('names places of payments and loans in English, and the authors of loans', () => {
    for (const { ecard, books } of cardsAt(now)) {
      const places = [...ecard.transactions, ...books.list]
      expect(places.filter(({ placeEn }) => !placeEn)).toEqual([])
    }
    const student = cardsAt(now).find(({ username }) => username === 'student')
    expect(student?.books.list.map(({ author }) => author)).toEqual([
      'Thomas H. Cormen',
      'Martin Kleppmann',
      '费孝通',
    ])
  })

  test('has few articles that are marked as new', () => {
    const days = Number(settings(now).ENV_NEWS_NEW_ITON_DAYS)
    const fresh = articlesAt(now).filter(
      ({ publishedAt }) => daysBetween(dayOf(publishedAt), dayOf(now)) < days,
    )
    expect(fresh.length).toBeGreaterThan(3)
    expect(fresh.length).toBeLessThan(15)
  })

  test('gives every member a unique username, number, mobile and email', () => {
    const all = [...namedMembers, ...generatedMembers]
    for (const key of ['username', 'number', 'mobile', 'email'] as const) {
      expect(new Set(all.map((member) => member[key])).size).toBe(all.length)
    }
  })

  test('fills in every placeholder and contains nothing published or sent in the future', () => {
    for (const article of articlesAt(now)) {
      expect(article.body + article.bodyEn + article.summary).not.toMatch(/[{}]/)
      expect(article.publishedAt.getTime()).toBeLessThanOrEqual(now.getTime())
    }
    for (const { title, content, sentAt } of messagesAt(now)) {
      expect(title + content).not.toMatch(/[{}]/)
      expect(sentAt.getTime()).toBeLessThanOrEqual(now.getTime())
    }
    for (const task of tasksAt(now)) {
      expect(JSON.stringify([task.note, task.form.map(({ value }) => value)])).not.toMatch(/[{}]/)
    }
  })

  test('is the same when generated twice for the same date', () => {
    expect(JSON.stringify(eventsAt('2026-11-23'))).toBe(JSON.stringify(eventsAt('2026-11-23')))
    expect(JSON.stringify(messagesAt(now))).toBe(JSON.stringify(messagesAt(now)))
  })

  test.each(['2026-02-14', '2026-02-18', '2026-11-23', '2027-01-31', '2028-12-31'])(
    'on %s the Spring Festival theme is not valid yet and the founders’ theme is valid',
    (day) => {
      const moment = new Date(`${day}T08:10:00+08:00`)
      const [spring, founders] = launchItemsAt(moment, (key) => key).flatMap((item) =>
        item.kind === 'theme' ? [item.content] : [],
      )
      expect(themeValidAt(spring?.validLists ?? [], moment, 'Asia/Shanghai')).toBe(false)
      expect(themeValidAt(founders?.validLists ?? [], moment, 'Asia/Shanghai')).toBe(true)
      const [{ customValidStartTime = '', customValidEndTime = '' } = {}] = spring?.validLists ?? []
      expect(customValidStartTime > `${day} 23:59:59`).toBe(true)
      expect(customValidEndTime > customValidStartTime).toBe(true)
    },
  )

  test('has a drawing for every picture of its launch items', () => {
    const known = { ...pictures, ...launchPictures }
    launchItemsAt(now, (key) => {
      expect(Object.keys(known)).toContain(key)
      return key
    })
  })

  test('has no room conflicts in the timetable and no duplicate articles or calendars', () => {
    const lessons = timetable()
    const places = lessons.map(({ room, weekday, period }) => `${room} ${weekday} ${period}`)
    const alternating = places.length - new Set(places).size
    // Two classes share a laboratory in alternating weeks.
    expect(alternating).toBeLessThanOrEqual(1)
    expect(new Set(articlesAt(now).map(({ body }) => body)).size).toBe(150)
    expect(calendarsAt().length).toBe(new Set(calendarsAt().map(({ key }) => key)).size)
  })

  test.each([0, 1, 2, 3, 4, 5, 6])(
    'gives the student and the teacher an event or a lesson on weekday %i',
    (days) => {
      const day = addDays(dayOf(now), days)
      const { events } = eventsAt(day)
      const names = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
      const onThisDay = (keys: string[]) =>
        events.filter(
          ({ calendarKey, startsLocal, rrule }) =>
            keys.includes(calendarKey) &&
            rrule.startsWith('FREQ=WEEKLY') &&
            !rrule.includes('INTERVAL') &&
            (weekdayOf(startsLocal.slice(0, 10)) === weekdayOf(day) ||
              rrule.includes(names[weekdayOf(day)] as string)),
        )
      const lessons = timetable().filter(
        ({ weekday, weeks }) => weekday === weekdayOf(day) && weeks === 'all',
      )
      expect(
        onThisDay(['own:student', 'study:student', 'club:A-badminton']).length +
          lessons.filter(({ classCodes }) => classCodes.includes('C-CT2401')).length,
      ).toBeGreaterThan(0)
      expect(
        onThisDay(['own:teacher', 'research:teacher']).length +
          lessons.filter(({ teacherUsername }) => teacherUsername === 'teacher').length,
      ).toBeGreaterThan(0)
    },
  )
})

describe('the demo as members see it', () => {
  test('the student’s home has content in its blocks', async () => {
    const { as } = await testApp()
    const { data } = await (await as('student'))(home.read)
    expect(data.quick).toHaveLength(9)
    expect(data.term?.weeks).toBe(20)
    expect(data.todo?.total).toBe(5)
    expect(data.notices?.length).toBeGreaterThanOrEqual(4)
    expect(data.news?.list.length).toBeGreaterThan(3)
    expect(data.unread).toBe(10)
    expect(data.cards.eCard?.balance).toBe('128.40')
    expect(data.today?.length).toBeGreaterThan(0)
  })

  test('every account has quick services, columns, message apps and recent services', async () => {
    const { as, visitor } = await testApp()
    for (const who of ['student', 'teacher', 'staff', 'admin'] as const) {
      const call = await as(who)
      expect((await call(home.read)).data.quick).toHaveLength(9)
      expect((await call(messages.apps)).data.length).toBeGreaterThan(5)
      expect((await call(news.columns)).data).toHaveLength(who === 'student' ? 5 : 6)
      expect((await call(serviceEndpoints.lastUsed)).data.length).toBeGreaterThan(5)
    }
    expect((await visitor(home.read)).data.quick).toHaveLength(9)
    expect((await visitor(news.columns)).data).toHaveLength(4)
  })

  test('the draft of an application has an English title', async () => {
    const { platform } = await testApp()
    const drafts = await platform.db
      .selectFrom('task')
      .select(['title_en', 'source_en'])
      .where('draft', '=', true)
      .where('engine', 'is not', null)
      .execute()
    expect(drafts).toEqual([
      { title_en: 'Room booking: Meeting room', source_en: 'Campus Services Office' },
    ])
  })

  test('launch items exist for members and visitors but are switched off', async () => {
    const { app, as, visitor } = await testApp()
    const student = await as('student')
    for (const call of [student, visitor]) {
      const { data } = await call(launch.slides)
      expect(data).toHaveLength(3)
      for (const { imageUrl } of data) expect((await app.inject(imageUrl)).statusCode).toBe(200)
      expect((await call(launch.theme)).data?.name).toBe('校庆周')
    }
    const pages = (await student(launch.openingPages)).data
    expect(pages.map(({ contentUrl }) => contentKind(contentUrl))).toEqual(['image', 'image'])
    expect((await visitor(launch.visitorOpeningPages)).data).toHaveLength(1)
    expect((await student(launch.diversions)).data[0]?.destinations).toHaveLength(3)
    const set = Object.fromEntries(
      (await student(config.detail)).data.map(({ key, value }) => [key, value]),
    )
    expect(set).toMatchObject({
      ENV_ENABLE_SLIDESHOW: '0',
      ENV_OPENING_PAGE: '0',
      ENV_OPENING_PAGE_TOURIST: '0',
      ENV_DIVERSION_PAGE: '0',
      ENV_ENABLE_MOBILE_FESTIVAL_THEME: '0',
    })
  })

  test('only admin is an operator, with every permission', async () => {
    const { platform, tokenOf } = await testApp()
    for (const who of ['student', 'teacher', 'staff', 'admin']) {
      const viewer = await platform.guard.viewerOf(await tokenOf(who))
      expect(viewer.signedIn && viewer.permissions).toEqual(who === 'admin' ? permissions : [])
    }
  })
})
