import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { study } from '@atrium/contract/learning/study'
import { studySources } from '@atrium/contract/learning/study-sources.operator'
import { tasks } from '@atrium/contract/work/tasks'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'

/* Small servers that implement OneRoster 1.2 (REST) and Moodle's web services. */

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let admin: Caller
let student: Caller
/** Constant, so that Moodle's answers do not change between calls. */
const started = Math.floor(Date.now() / 1000)

beforeAll(async () => {
  app = await testApp()
  node = await openNode(app.url, { ATRIUM_OUTBOUND_ALLOW: '127.0.0.1/32' })
  const token = await app.tokenOf('admin')
  admin = (async (
    endpoint: Parameters<Caller>[0],
    input: { params?: object; body?: object } = {},
  ) => {
    const url = Object.entries(input.params ?? {}).reduce(
      (path, [key, value]) => path.replace(`{${key}}`, String(value)),
      endpoint.path,
    )
    const answer = await node.app.inject({
      method: endpoint.method,
      url,
      ...(input.body && { payload: input.body }),
      headers: { 'x-id-token': token },
    })
    return { status: answer.statusCode, ...answer.json() }
  }) as never
  student = await app.as('student')
})
afterAll(async () => {
  for (const server of servers) server.close()
  await node.app.close()
  await node.platform.close()
})

const servers: Server[] = []
const bodyOf = async (request: IncomingMessage) => {
  let text = ''
  for await (const chunk of request) text += chunk
  return new URLSearchParams(text)
}
async function serve(
  answer: (
    request: IncomingMessage,
    body: URLSearchParams,
  ) => { status?: number; headers?: Record<string, string>; body: unknown },
) {
  const server = createServer(async (request, response) => {
    const { status = 200, headers = {}, body } = answer(request, await bodyOf(request))
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  servers.push(server)
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const read = async (code: string, force = false) =>
  (await admin(studySources.read, { params: { code }, body: { force } })).data
const day = (days: number) => `${Temporal.Now.plainDateISO('Asia/Shanghai').add({ days })}`

describe('OneRoster over REST', () => {
  type Entry = { sourcedId: string; status?: string; dateLastModified?: string } & Record<
    string,
    unknown
  >
  const data: Record<string, Entry[]> = {}
  const requests: string[] = []
  let down = false
  let maxPage = 1000
  let origin: string

  beforeAll(async () => {
    Object.assign(data, {
      orgs: [{ sourcedId: 's', name: 'Campus' }],
      academicSessions: [
        {
          sourcedId: 'AUT',
          title: '秋季学期',
          type: 'term',
          startDate: day(-30),
          endDate: day(60),
        },
      ],
      courses: [{ sourcedId: 'c1', title: 'Astronomy', metadata: { credits: 2 } }],
      classes: [
        {
          sourcedId: 'k1',
          title: '天文观测',
          classCode: 'ASTRO-1',
          course: { sourcedId: 'c1' },
          school: { sourcedId: 's' },
          terms: [{ sourcedId: 'AUT' }],
        },
      ],
      users: [
        { sourcedId: 'u1', username: 'student' },
        { sourcedId: 'u2', username: 'teacher' },
        // more than one page
        ...Array.from({ length: 1100 }, (_, at) => ({
          sourcedId: `x${at}`,
          username: `nobody-${at}`,
        })),
      ],
      enrollments: [
        { sourcedId: 'e1', class: { sourcedId: 'k1' }, user: { sourcedId: 'u1' }, role: 'student' },
        { sourcedId: 'e2', class: { sourcedId: 'k1' }, user: { sourcedId: 'u2' }, role: 'teacher' },
      ],
      categories: [{ sourcedId: 'hw', title: 'Homework' }],
      lineItems: [
        {
          sourcedId: 'li1',
          title: '观测报告',
          dueDate: `${day(4)}T15:00:00.000Z`,
          class: { sourcedId: 'k1' },
          category: { sourcedId: 'hw' },
          resultValueMax: 20,
        },
      ],
      results: [],
    })
    origin = await serve((request, body) => {
      if (down) return { status: 503, body: { imsx_codeMajor: 'failure' } }
      const url = new URL(request.url ?? '', 'http://x')
      if (url.pathname === '/token') {
        const right =
          request.headers.authorization ===
          `Basic ${Buffer.from('atrium:s3cret').toString('base64')}`
        return right &&
          body.get('grant_type') === 'client_credentials' &&
          body.get('scope')?.includes('roster.readonly')
          ? { body: { access_token: 'T', token_type: 'bearer', expires_in: 3600 } }
          : { status: 401, body: { error: 'invalid_client' } }
      }
      if (request.headers.authorization !== 'Bearer T') return { status: 401, body: {} }
      requests.push(`${url.pathname}${url.search}`)
      const file = url.pathname.split('/').at(-1) ?? ''
      const since = /dateLastModified>'([^']+)'/.exec(url.searchParams.get('filter') ?? '')?.[1]
      const all = (data[file] ?? []).filter(
        (one) => !since || (one.dateLastModified ?? '2000') > since,
      )
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(url.searchParams.get(name)))
      return {
        headers: { 'x-total-count': String(all.length) },
        body: {
          [file]: all
            .slice(offset, (offset ?? 0) + Math.min(limit ?? 0, maxPage))
            .map((one) => ({ status: 'active', ...one })),
        },
      }
    })
  })

  const fields = () => ({
    kind: 'oneroster',
    name: '教务系统',
    nameEn: 'Registry',
    address: origin,
    tokenUrl: `${origin}/token`,
    clientId: 'atrium',
    everyMinutes: 60,
  })
  const put = (body: object) => admin(studySources.put, { params: { code: 'registry' }, body })
  const astro = async () =>
    (await student(study.courses, { query: { term: 'AUT' } })).data.find(
      ({ code }) => code === 'ASTRO-1',
    )

  test('is read page by page, and reading it again changes nothing', async () => {
    expect(await put(fields())).toMatchObject({
      status: 400,
      fields: { secret: expect.any(String) },
    })
    await put({ ...fields(), secret: 's3cret' })
    expect(await read('registry')).toMatchObject({
      error: '',
      failures: 0,
      courses: 1,
      hasSecret: true,
    })
    expect(requests.filter((one) => one.includes('/users?'))).toHaveLength(3)
    expect(await astro()).toMatchObject({ name: '天文观测', credits: 2, open: 1, role: 'attends' })
    const list = await student(tasks.list, { query: { level: 'myTodo', pageSize: 50 } })
    const task = list.data.list.find(({ title }) => title === '观测报告')
    expect(task?.actions).toMatchObject([{ code: 'done' }])
    expect(await read('registry')).toMatchObject({ added: 0, changed: 0, issues: [] })
  })

  test('is queried for changes only, and deleted records are removed', async () => {
    requests.length = 0
    data.results?.push({
      sourcedId: 'r1',
      dateLastModified: new Date().toISOString(),
      lineItem: { sourcedId: 'li1' },
      student: { sourcedId: 'u1' },
      scoreStatus: 'fully graded',
      score: 17.5,
    })
    await read('registry')
    expect(requests.every((one) => one.includes('filter=dateLastModified'))).toBe(true)
    expect(requests).toHaveLength(9)
    const id = (await astro())?.id
    const { data: course } = await student(study.read, { params: { id } })
    expect(course.assignments).toMatchObject([
      { title: '观测报告', mark: { score: 17.5, points: 20 } },
    ])
    expect(course.sources).toMatchObject([{ name: '教务系统', stale: false }])
    data.lineItems?.splice(0, 1, {
      ...(data.lineItems?.[0] as Entry),
      status: 'tobedeleted',
      dateLastModified: new Date().toISOString(),
    })
    data.results?.splice(0, 1, {
      ...(data.results?.[0] as Entry),
      status: 'tobedeleted',
      dateLastModified: new Date().toISOString(),
    })
    await read('registry')
    expect((await student(study.read, { params: { id } })).data.assignments).toEqual([])
  })

  test('keeps its data and is marked as stale while it is down', async () => {
    down = true
    expect(await read('registry')).toMatchObject({
      failures: 1,
      error: expect.stringContaining('answers 503'),
    })
    const { data: overview } = await student(study.overview)
    // The term that the registry created is the current one.
    expect(overview).toMatchObject({ term: { code: 'AUT' }, stale: [{ name: '教务系统' }] })
    const { data: course } = await student(study.read, { params: { id: (await astro())?.id } })
    expect(course.sources).toMatchObject([{ name: '教务系统', stale: true }])
    down = false
    expect(await read('registry')).toMatchObject({ failures: 0 })
    expect((await student(study.overview)).data.stale).toEqual([])
  })

  test('does not send its secret to another host, and closed networks stay closed', async () => {
    expect(await put({ ...fields(), address: 'https://elsewhere.example' })).toMatchObject({
      status: 400,
    })
    await put({
      ...fields(),
      address: 'http://10.0.0.9',
      tokenUrl: 'http://10.0.0.9/token',
      secret: 'x',
    })
    expect((await read('registry')).error).toContain('closed to outgoing requests')
    await put({ ...fields(), secret: 's3cret' })
  })

  test('is read completely if its pages are smaller than requested', async () => {
    maxPage = 400
    requests.length = 0
    // A source is read in full after it was saved.
    await put({ ...fields(), secret: 's3cret' })
    expect(await read('registry')).toMatchObject({ failures: 0 })
    const offsets = requests
      .filter((one) => one.includes('/users?'))
      .map((one) => new URL(one, 'http://x').searchParams.get('offset'))
    expect(offsets).toEqual(['0', '400', '800'])
    maxPage = 1000
  })
})

describe('Moodle', () => {
  let origin: string
  let hidden = false
  let withdrawn = false
  let assignmentsAnswer: object | undefined
  beforeAll(async () => {
    const seconds = (days: number) => started + days * 86_400
    const courseId = '7'
    origin = await serve((request, body) => {
      if (request.url !== '/webservice/rest/server.php' || request.method !== 'POST')
        return { status: 404, body: {} }
      if (body.get('wstoken') !== 'moodle-token')
        return {
          body: {
            exception: 'moodle_exception',
            errorcode: 'invalidtoken',
            message: 'Invalid token',
          },
        }
      const url = `http://${request.headers.host}`
      switch (body.get('wsfunction')) {
        case 'core_webservice_get_site_info':
          return { body: { userid: 2, sitename: 'Moodle' } }
        case 'core_enrol_get_users_courses':
          return {
            body: [
              { id: 7, shortname: 'OS', idnumber: 'K0002', fullname: '操作系统' },
              { id: 8, shortname: 'NONE', idnumber: '', fullname: 'Other' },
            ],
          }
        case 'mod_assign_get_assignments':
          return {
            body: assignmentsAnswer ?? {
              courses: [
                {
                  id: 7,
                  assignments: hidden
                    ? []
                    : [
                        {
                          id: 31,
                          cmid: 91,
                          name: '实验五 &amp; 报告',
                          intro: '<p>写文件系统</p>',
                          duedate: seconds(6),
                          grade: 50,
                        },
                      ],
                },
              ],
            },
          }
        case 'core_course_get_contents':
          expect(body.get('courseid')).toBe(courseId)
          return {
            body: [
              {
                id: 1,
                name: '第一章',
                summary: '<b>概述</b>',
                modules: [
                  {
                    id: 90,
                    name: '幻灯片',
                    modname: 'resource',
                    url: `${url}/mod/resource/view.php?id=90`,
                  },
                  {
                    id: 91,
                    name: '实验五',
                    modname: 'assign',
                    url: `${url}/mod/assign/view.php?id=91`,
                  },
                  { id: 92, name: '别处', modname: 'url', url: 'https://evil.example/' },
                ],
              },
            ],
          }
        case 'core_enrol_get_enrolled_users':
          return {
            body: [
              { id: 5, username: 'Student' },
              { id: 6, username: 'unknown' },
            ],
          }
        case 'gradereport_user_get_grade_items':
          return {
            body: {
              usergrades: [
                {
                  userid: 5,
                  gradeitems: [
                    {
                      id: 1,
                      itemname: '实验五',
                      itemtype: 'mod',
                      itemmodule: 'assign',
                      iteminstance: 31,
                      graderaw: null,
                      grademax: 50,
                      gradedatesubmitted: seconds(-1),
                    },
                    {
                      id: 2,
                      itemname: '测验',
                      itemtype: 'mod',
                      itemmodule: 'quiz',
                      iteminstance: 4,
                      graderaw: withdrawn ? null : 8.256,
                      grademax: 10,
                      gradedategraded: withdrawn ? null : seconds(-2),
                      feedback: '<p>好</p>',
                    },
                    {
                      id: 3,
                      itemname: null,
                      itemtype: 'course',
                      graderaw: 88,
                      grademax: 100,
                      gradeishidden: true,
                    },
                  ],
                },
              ],
            },
          }
        default:
          return {
            body: { exception: 'x', errorcode: 'accessexception', message: 'Access control' },
          }
      }
    })
    await sql`update course set code = 'K0002' where name = '操作系统' and id = (
      select course.id from course join calendar_member m on m.calendar_id = course.calendar_id
      join account on account.id = m.account_id and account.username = 'student' where course.name = '操作系统')
      and not exists (select from course other where other.code = 'K0002' and other.term_id = course.term_id)`.execute(
      app.platform.db,
    )
  })
  const put = (secret: string) =>
    admin(studySources.put, {
      params: { code: 'moodle' },
      body: { kind: 'moodle', name: 'Moodle', address: origin, secret },
    })
  const os = async () => {
    // Not the term that the registry created.
    const { terms } = (await student(study.overview)).data
    const { data } = await student(study.courses, { query: { term: terms.at(-2)?.code } })
    const id = data.find(({ code }) => code === 'K0002')?.id
    return (await student(study.read, { params: { id } })).data
  }

  test('imports sections, links, assignments and marks, and changes nothing when repeated', async () => {
    await put('wrong')
    expect((await read('moodle')).error).toContain('invalidtoken')
    await put('moodle-token')
    expect(await read('moodle')).toMatchObject({ failures: 0, courses: 1 })
    const course = await os()
    expect(course.plan.find(({ title }) => title === '第一章')?.text).toBe('概述')
    expect(course.materials.filter(({ url }) => url.startsWith(origin))).toMatchObject([
      { title: '幻灯片', kind: 'link', url: `${origin}/mod/resource/view.php?id=90` },
    ])
    const [work] = course.assignments.filter(({ title }) => title === '实验五 & 报告')
    expect(work).toMatchObject({
      text: '写文件系统',
      points: 50,
      url: `${origin}/mod/assign/view.php?id=91`,
      handedAt: expect.any(String),
    })
    expect(course.assignments.find(({ title }) => title === '测验')?.mark).toMatchObject({
      score: 8.26,
      feedback: '好',
    })
    // A mark hidden in Moodle is hidden here.
    expect(course.total).toBeNull()
    expect(await read('moodle')).toMatchObject({ added: 0, changed: 0 })
  })

  test('keeps the assignments and marks of a course that it gives no access to', async () => {
    const message = 'No access rights in course context'
    const warnings = [{ item: 'course', itemid: 7, warningcode: '2', message }]
    assignmentsAnswer = { courses: [], warnings }
    expect(await read('moodle')).toMatchObject({
      failures: 0,
      changed: 0,
      issues: ['1: Moodle gives no access to the assignments and grades of K0002'],
    })
    const titles = (await os()).assignments.map(({ title }) => title)
    expect(titles).toEqual(expect.arrayContaining(['实验五 & 报告', '测验']))
  })

  test('keeps everything if its answer has no list', async () => {
    assignmentsAnswer = { warnings: [] }
    expect((await read('moodle')).error).toContain('no list of courses with assignments')
    expect((await os()).assignments.map(({ title }) => title)).toContain('实验五 & 报告')
    assignmentsAnswer = undefined
    expect(await read('moodle')).toMatchObject({ failures: 0, changed: 0, issues: [] })
  })

  test('removes what it no longer has', async () => {
    withdrawn = true
    expect(await read('moodle')).toMatchObject({ failures: 0, changed: 1 })
    // Something that is only marked is listed with its mark alone.
    expect((await os()).assignments.map(({ title }) => title)).not.toContain('测验')
    hidden = true
    await read('moodle')
    expect((await os()).assignments.filter(({ url }) => url)).toEqual([])
  })
})

test('sources can be managed by operators only', async () => {
  for (const [endpoint, input] of [
    [studySources.list, {}],
    [studySources.read, { params: { code: 'moodle' }, body: {} }],
    [studySources.remove, { params: { code: 'moodle' } }],
  ] as const)
    expect((await student(endpoint, input)).status).toBe(403)
  expect(await admin(studySources.remove, { params: { code: 'none' } })).toMatchObject({
    status: 404,
  })
  expect((await admin(studySources.remove, { params: { code: 'moodle' } })).status).toBe(200)
})
