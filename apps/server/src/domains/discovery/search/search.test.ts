import { randomUUID } from 'node:crypto'
import { search } from '@atrium/contract/discovery/search'
import { searchFailures } from '@atrium/contract/discovery/search.operator'
import { todos } from '@atrium/contract/work/todos'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { invalidate } from '#platform/database/topics.ts'
import { searchable } from '#platform/search-source.ts'
import { addService, forIdentity } from '../../../../test/service.ts'
import { type Caller, type TestApp, testApp, viewerOf } from '../../../../test/test-app.ts'
import { gatherFailures } from './failures.ts'
import { searchAll } from './find.ts'
import { countSearch, deleteOldSearches, flushStatistics } from './statistics.ts'

let app: TestApp
let student: Caller
let teacher: Caller
let admin: Caller
beforeAll(async () => {
  app = await testApp()
  student = await app.as('student')
  teacher = await app.as('teacher')
  admin = await app.as('admin')
})

const searchResults = async (caller: Caller, keyWords: string, query: object = {}) => {
  const { data } = await caller(search.find, { query: { keyWords, ...query } })
  return data.groups.flatMap(({ list }) => list)
}
const names = async (caller: Caller, keyWords: string, query: object = {}) =>
  (await searchResults(caller, keyWords, query)).map(({ kind, title }) => `${kind}:${title}`)

describe('hidden items', () => {
  test('a service for teachers is not found by or suggested to others', async () => {
    await addService(app.platform, 'T-HIDDEN', forIdentity('T01'), '隐藏的服务甲')
    await app.platform.db.transaction().execute((db) => invalidate(db, 'services'))
    await app.platform.topics.flushed()
    expect(await names(teacher, '隐藏的服务甲')).toContain('service:隐藏的服务甲')
    for (const caller of [student, app.visitor])
      for (const typed of ['隐藏的服务甲', '隐藏的服务', 'yincangdefuwu', 'ycdfwj']) {
        expect(await names(caller, typed)).not.toContain('service:隐藏的服务甲')
        const { data } = await caller(search.suggest, { query: { keyWords: typed } })
        expect(data.map(({ text }) => text)).not.toContain('隐藏的服务甲')
      }
  })

  test('a visitor finds no private items and no people', async () => {
    const kinds = ['person', 'message', 'task', 'todo', 'event', 'file']
    for (const typed of ['陈', 'chen', '图书馆', '课', '申请'])
      for (const { kind } of await searchResults(app.visitor, typed))
        expect(kinds).not.toContain(kind)
  })

  test('messages of another member are not found', async () => {
    const { rows } = await sql<{ title: string }>`
      select message.title from message where exists (
          select from message_delivery delivery join account on account.id = delivery.account_id
          where delivery.message_id = message.id and account.username = 'teacher')
        and not exists (select from message same join message_delivery delivery on delivery.message_id = same.id
          join account on account.id = delivery.account_id
          where same.title = message.title and account.username = 'student')
      order by message.title like '%，%' desc, message.id limit 3`.execute(app.platform.db)
    expect(rows[0]?.title).toContain('，')
    for (const { title } of rows) {
      const typed = title.slice(0, 40)
      expect(await names(teacher, typed, { types: 'message' })).toContain(`message:${title}`)
      expect(await names(student, typed, { types: 'message' })).not.toContain(`message:${title}`)
    }
  })
})

test.each([
  [
    'task',
    sql`update task set title = '只有一人的条目' where id = (
      select max(step.task_id) from task_step step join account on account.id = step.account_id
      where username = 'student' and not exists (select from task_step other
        where other.task_id = step.task_id and other.account_id <> step.account_id))`,
  ],
  [
    'event',
    sql`with own as (
        insert into calendar (kind, name, owner_account_id)
        select 'personal', '自己的', id from account where username = 'student' returning id)
      insert into event (calendar_id, uid, kind, title, starts_local, minutes, time_zone)
      select id, 'alone', 'event', '只有一人的条目', '2027-03-01 10:00', 60, 'Asia/Shanghai' from own`,
  ],
  [
    'file',
    sql`update file set name = '只有一人的条目' where id = (
      select min(file_id) from file_owner join account on account.id = account_id
      where username = 'student')`,
  ],
])('a %s is found by its member only', async (kind, write) => {
  await write.execute(app.platform.db)
  const line = `${kind}:只有一人的条目`
  expect(await names(student, '一人的条目', { types: kind })).toEqual([line])
  expect(await names(teacher, '一人的条目', { types: kind })).toEqual([])
})

test('tasks are found and shown in both languages', async () => {
  const found = await searchResults(student, 'dormitory safety agreement', { types: 'task' })
  expect(found[0]).toMatchObject({
    title: '宿舍安全承诺书签署',
    titleEn: 'Sign the dormitory safety agreement',
    textEn: 'Campus Services Office',
  })
})

describe('search input', () => {
  const todo = {
    note: '',
    dueLocal: '',
    timeZone: 'Asia/Shanghai',
    allDay: false,
    repeat: 'none',
    tags: [],
    reminders: [],
    steps: [],
    executors: [],
  }
  test('copied from a title finds it, whatever its punctuation', async () => {
    for (const title of ['借书（ＡＢＣ），还书', '50%_的！', '问：几点？']) {
      const created = await student(todos.create, { body: { ...todo, key: randomUUID(), title } })
      expect(created.status, created.raw).toBe(200)
      expect(await names(student, title, { types: 'todo' })).toContain(`todo:${title}`)
    }
    expect(await names(student, '借书(abc)', { types: 'todo' })).toContain(
      'todo:借书（ＡＢＣ），还书',
    )
    expect(await names(student, '50%%的', { types: 'todo' })).not.toContain('todo:50%_的！')
  })

  test.each([
    ['图书館', '一 图', '📚', '%', '_', "'; drop table account; --", 'a & b | !c', '(((('],
    ['foo:*', '<->', '^(a+)+$', '\\', '"""', '１２３', 'ＡＢＣ', 'тест 图书 library'],
  ])('is never interpreted as a query language: %s …', async (...typed) => {
    for (const keyWords of typed)
      expect(await student(search.find, { query: { keyWords } }), keyWords).toMatchObject({
        status: 200,
      })
  })

  test('that is too long or empty is rejected', async () => {
    for (const keyWords of ['图'.repeat(10_000), '', '   ', '\u3000'])
      for (const endpoint of [search.find, search.suggest])
        expect(await student(endpoint, { query: { keyWords } })).toMatchObject({
          status: 400,
          error: 'request.invalid',
        })
  })

  test('of a single character finds results', async () => {
    expect((await searchResults(student, '图')).length).toBeGreaterThan(0)
  })

  test('is case-insensitive and treats full-width letters alike', async () => {
    expect(await names(student, 'ＴＵＳＨＵＧＵＡＮ')).toEqual(await names(student, 'tushuguan'))
  })

  test('that causes backtracking in regular expressions is answered', async () => {
    for (const keyWords of [`${'几点'.repeat(48)}!`, 'a'.repeat(100), `${'the '.repeat(25)}`])
      expect(await student(search.find, { query: { keyWords } })).toMatchObject({ status: 200 })
  })

  test('with an unknown kind is rejected', async () => {
    expect(
      await student(search.find, { query: { keyWords: '图书馆', types: 'service,secrets' } }),
    ).toMatchObject({ status: 400, error: 'search.kind_unknown' })
  })
})

describe('direct answers', () => {
  const answer = async (caller: Caller, keyWords: string) =>
    (await caller(search.find, { query: { keyWords } })).data.answer

  test('a place returns its opening hours', async () => {
    expect(await answer(app.visitor, '图书馆主馆几点关门')).toMatchObject({
      kind: 'hours',
      title: '图书馆主馆',
      facts: expect.arrayContaining([expect.objectContaining({ nameEn: expect.any(String) })]),
    })
    expect(await answer(student, 'what time does the main library close')).toMatchObject({
      kind: 'hours',
    })
  })

  test('the card balance is returned to the member, not to visitors', async () => {
    const one = await answer(student, '我的一卡通余额')
    expect(one).toMatchObject({ kind: 'card', text: expect.stringMatching(/^¥\d/) })
    expect(one?.at).not.toBeNull()
    expect(await answer(app.visitor, '我的一卡通余额')).not.toMatchObject({ kind: 'card' })
  })

  test('the next lesson is returned to the member, not to visitors', async () => {
    expect(await answer(student, '下节课在哪')).toMatchObject({ kind: 'lesson' })
    expect(await answer(app.visitor, '下节课在哪')).toBeNull()
  })

  test('a guide returns its steps', async () => {
    const { rows } = await sql<{ name: string; name_en: string }>`
      select name, name_en from service join service_guide guide on guide.service_id = service.id
      where have_guide and exists (select from service_guide_step step where step.service_id = service.id)
      order by use_count desc limit 1`.execute(app.platform.db)
    const one = await answer(student, `${rows[0]?.name}怎么办`)
    expect(one).toMatchObject({ kind: 'guide', title: rows[0]?.name })
    expect(one?.facts.length).toBeGreaterThan(0)
  })

  test('a service page is returned with its field filled in', async () => {
    expect(await answer(student, '找书 算法导论')).toMatchObject({
      kind: 'page',
      field: { value: '算法导论', to: expect.stringContaining('{keyWords}') },
    })
  })
})

describe('people', () => {
  const person = async (username: string) => {
    const { rows } = await sql<{ id: string; name: string }>`
      select account.id, person.name from account join person on person.id = account.person_id
      where username = ${username}`.execute(app.platform.db)
    return rows[0] as { id: string; name: string }
  }

  test('are found by members by name and pinyin', async () => {
    const { id, name } = await person('teacher')
    for (const typed of [name, 'zhoumingyuan', 'zmy'])
      expect(
        (await searchResults(student, typed)).filter(({ kind }) => kind === 'person'),
        typed,
      ).toContainEqual(expect.objectContaining({ id, title: name }))
  })

  test('show only the contact details they share', async () => {
    const { id } = await person('teacher')
    const show = (mobile: string, email: string) =>
      sql`insert into privacy_setting (account_id, mobile_shown_to, email_shown_to) values (${id}, ${mobile}, ${email})
        on conflict (account_id) do update set mobile_shown_to = ${mobile}, email_shown_to = ${email}`.execute(
        app.platform.db,
      )
    await sql`update person set mobile = '13800000001', email = 'shown@example.edu'
      where id = (select person_id from account where id = ${id})`.execute(app.platform.db)
    await show('nobody', 'everybody')
    expect((await student(search.person, { params: { id } })).data).toMatchObject({
      mobile: null,
      email: 'shown@example.edu',
    })
    await show('everybody', 'nobody')
    expect((await student(search.person, { params: { id } })).data).toMatchObject({
      mobile: '13800000001',
      email: null,
    })
    expect(await app.visitor(search.person, { params: { id } })).toMatchObject({ status: 401 })
    expect(await student(search.person, { params: { id: '999999999' } })).toMatchObject({
      status: 404,
      error: 'search.person_not_found',
    })
  })
})

describe('search history', () => {
  test('is kept only while the member enables it, and deleted when they disable it', async () => {
    await student(search.find, { query: { keyWords: '校车' } })
    expect((await student(search.history)).data).toEqual({ kept: false, list: [] })
    await student(search.keepHistory, { body: { kept: true } })
    await student(search.find, { query: { keyWords: '校车' } })
    await student(search.find, { query: { keyWords: '校历' } })
    await student(search.find, { query: { keyWords: ' 校车 ' } })
    expect((await student(search.history)).data.list).toEqual(['校车', '校历'])
    expect((await teacher(search.history)).data.list).toEqual([])
    const { data: suggested } = await student(search.suggest, { query: { keyWords: '校' } })
    expect(suggested.filter(({ kind }) => kind === 'history').map(({ text }) => text)).toEqual([
      '校车',
      '校历',
    ])
    await student(search.clearHistory, { query: { keyWords: '校车' } })
    expect((await student(search.history)).data.list).toEqual(['校历'])
    await student(search.keepHistory, { body: { kept: false } })
    expect((await student(search.history)).data).toEqual({ kept: false, list: [] })
    const { rows } = await sql`select from search_history`.execute(app.platform.db)
    expect(rows).toHaveLength(0)
  })

  test('is limited to the last twenty searches', async () => {
    await student(search.keepHistory, { body: { kept: true } })
    for (let at = 0; at < 23; at++) await student(search.find, { query: { keyWords: `第${at}次` } })
    const { list } = (await student(search.history)).data
    expect(list).toHaveLength(20)
    expect(list[0]).toBe('第22次')
    await student(search.keepHistory, { body: { kept: false } })
  })
})

describe('popular searches', () => {
  const searchAs = async (words: string, people: number) => {
    const viewer = await viewerOf(app, 'student')
    if (!viewer.signedIn) throw new Error('student is a visitor')
    for (let at = 0; at < people; at++)
      await countSearch(app.platform, { ...viewer, accountId: `${1_000_000 + at}` }, words, 'found')
    await flushStatistics(app.platform)
  }

  test('need ten members, and are shown to members of the same identity type only', async () => {
    await searchAs('九个人的词', 9)
    await searchAs('九个人的词', 9)
    expect((await student(search.hot)).data).not.toContain('九个人的词')
    await searchAs('十个人的词', 10)
    expect((await student(search.hot)).data).toContain('十个人的词')
    expect((await teacher(search.hot)).data).not.toContain('十个人的词')
    const { data } = await student(search.suggest, { query: { keyWords: '十个' } })
    expect(data.map(({ text }) => text)).toContain('十个人的词')
  })

  test('contain no account, and the marks of members are deleted after a day', async () => {
    const { rows } = await sql<{ mark: string }>`select mark from search_mark`.execute(
      app.platform.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { mark } of rows) expect(mark).not.toContain('1000000')
    await sql`update search_mark set day = day - 3`.execute(app.platform.db)
    await deleteOldSearches(app.platform)
    const left = await sql`select from search_mark`.execute(app.platform.db)
    expect(left.rows).toHaveLength(0)
  })

  test('exclude addresses, long numbers and sentences', async () => {
    for (const words of ['somebody@example.edu', '我的学号 20230001', '很长'.repeat(25)])
      await searchAs(words, 12)
    const { rows } = await sql<{ words: string }>`select words from search_day`.execute(
      app.platform.db,
    )
    for (const { words } of rows) expect(words).not.toMatch(/@|\d{6}|很长/)
  })
})

describe('failed searches', () => {
  test('are listed for operators, who can resolve them with a synonym', async () => {
    const viewer = await viewerOf(app, 'student')
    if (!viewer.signedIn) throw new Error('student is a visitor')
    for (let at = 0; at < 4; at++)
      await countSearch(
        app.platform,
        { ...viewer, accountId: `${2_000_000 + at}` },
        '吃饭的地儿',
        'notFound',
      )
    for (let at = 0; at < 2; at++)
      await countSearch(app.platform, { ...viewer, accountId: `${at + 5}` }, '只有两人', 'notFound')
    await flushStatistics(app.platform)
    await gatherFailures(app.platform)
    const { data } = await admin(searchFailures.list)
    expect(data.map(({ words }) => words)).not.toContain('只有两人')
    const failure = data.find(({ words }) => words === '吃饭的地儿')
    expect(failure).toMatchObject({ kind: 'notFound', searches: 4, decision: null })
    expect(await student(searchFailures.list)).toMatchObject({ status: 403 })

    expect(await names(student, '吃饭的地儿')).not.toContain('service:食堂')
    const id = failure?.id ?? ''
    expect(
      await admin(searchFailures.decide, { params: { id }, body: { decision: 'synonym' } }),
    ).toMatchObject({ status: 400, fields: { words: expect.any(String) } })
    const { data: decided } = await admin(searchFailures.decide, {
      params: { id },
      body: { decision: 'synonym', words: ['食堂'] },
    })
    expect(decided).toMatchObject({ decision: 'synonym' })
    expect(decided.foundNow).toBeGreaterThan(decided.foundBefore ?? 0)
    expect(await names(student, '吃饭的地儿')).toContain('service:食堂')
    const open = (await admin(searchFailures.list)).data.map(({ words }) => words)
    expect(open).not.toContain('吃饭的地儿')
    const done = (await admin(searchFailures.list, { query: { decided: true } })).data
    expect(done.map(({ words }) => words)).toContain('吃饭的地儿')
  })

  test('include searches whose results are not opened', async () => {
    const viewer = await viewerOf(app, 'student')
    if (!viewer.signedIn) throw new Error('student is a visitor')
    for (const keyWords of ['打开过的词', '没打开的词']) {
      for (let at = 0; at < 5; at++)
        await countSearch(
          app.platform,
          { ...viewer, accountId: `${4_000_000 + at}` },
          keyWords,
          'found',
        )
    }
    const body = { keyWords: '打开过的词', kind: 'service', id: '1' }
    expect((await student(search.opened, { body })).status).toBe(200)
    await flushStatistics(app.platform)
    await gatherFailures(app.platform)
    const { data } = await admin(searchFailures.list, { query: { kind: 'notOpened' } })
    const found = data.map(({ words }) => words)
    expect(found).toContain('没打开的词')
    expect(found).not.toContain('打开过的词')
    const { rows } = await sql`select weight from search_opened
      where kind = 'service' and target = '1'`.execute(app.platform.db)
    expect(rows).toEqual([{ weight: 1 }])
  })

  test('count a member once across days and wordings', async () => {
    const viewer = await viewerOf(app, 'student')
    if (!viewer.signedIn) throw new Error('student is a visitor')
    const { db } = app.platform
    const failIn = async (words: string, people: number, daysAgo = 0) => {
      for (let at = 0; at < people; at++)
        await countSearch(
          app.platform,
          { ...viewer, accountId: `${3_000_000 + at}` },
          words,
          'notFound',
        )
      await flushStatistics(app.platform)
      await sql`update search_day set day = day - ${daysAgo}::integer where words = ${words}
        and day >= current_date - 1`.execute(db)
    }
    for (const daysAgo of [30, 20, 10]) {
      await failIn('三天一人', 1, daysAgo)
      await sql`delete from search_mark`.execute(db)
    }
    for (const words of ['奇怪 词语', '词语 奇怪', '奇怪词语']) await failIn(words, 1)
    await failIn('一天三人', 3)
    await failIn('一天三人', 1, 10)
    await failIn('常见 说法', 3)
    await failIn('说法 常见', 1)
    await gatherFailures(app.platform)
    const { data } = await admin(searchFailures.list)
    const listed = data.flatMap(({ wordings }) => wordings)
    expect(listed).not.toContain('三天一人')
    expect(listed).not.toContain('奇怪 词语')
    const { rows } =
      await sql`select searches, people, cardinality(wordings) as wordings from search_failure
      where meaning like '%奇怪%'`.execute(db)
    expect(rows).toEqual([{ searches: 3, people: 1, wordings: 0 }])
    expect(listed).toContain('常见 说法')
    expect(listed).not.toContain('说法 常见')
    expect(data.find(({ words }) => words === '一天三人')).toMatchObject({ searches: 4 })
  })
})

describe('search sources', () => {
  test('that are slow or fail do not block the others, and are marked', async () => {
    const viewer = await viewerOf(app, 'student')
    const all = searchable.all.bind(searchable)
    const never = { find: () => new Promise<never>(() => {}), access: 'guest' as const }
    const failing = { find: () => Promise.reject(new Error('down')), access: 'guest' as const }
    searchable.all = () => [
      ...all().map((one) => ({
        ...one,
        records: one.records?.filter(({ kind }) => kind !== 'news' && kind !== 'person') ?? [],
      })),
      {
        records: [
          { kind: 'news' as const, ...never },
          { kind: 'person' as const, ...failing },
        ],
        answers: [() => new Promise<never>(() => {})],
      },
    ]
    try {
      const { groups } = await searchAll(app.platform, viewer, '图书馆')
      const stateOf = (kind: string) => groups.find((group) => group.kind === kind)?.state
      expect(stateOf('news')).toBe('late')
      expect(stateOf('person')).toBe('failed')
      expect(stateOf('service')).toBe('ready')
    } finally {
      searchable.all = all
    }
  })

  test('do not return a withdrawn article', async () => {
    const article = (await searchResults(student, '图书馆', { types: 'news' }))[0]
    expect(article).toBeDefined()
    await sql`update article set status = 'withdrawn' where id = ${article?.id}`.execute(
      app.platform.db,
    )
    const ids = (await searchResults(student, '图书馆', { types: 'news' })).map(({ id }) => id)
    expect(ids).not.toContain(article?.id)
  })
})
