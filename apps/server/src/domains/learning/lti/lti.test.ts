import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { identity } from '@atrium/contract/identity/identity'
import { type LtiTool, lti, ltiConsole, ltiScopes } from '@atrium/contract/learning/lti'
import { study } from '@atrium/contract/learning/study'
import { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { LTITool } from '@lti-tool/core'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import {
  type Caller,
  demoPassword,
  idTokenOf,
  openNode,
  type TestApp,
  testApp,
} from '../../../../test/test-app.ts'

/*
 * A tool built with a published library (@lti-tool/core) launches against a listening node; this file implements the
 * tool's own pages.
 */

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
let admin: Caller
let student: Caller
let course: string
let keys: { publicKey: CryptoKey; privateKey: CryptoKey }
let toolServer: Server
/** Requests for keys that the tool has not answered. */
const heldRequests: ServerResponse[] = []
let tool: LtiTool
let library: LTITool
let material: string

const toolOrigin = () => `http://127.0.0.1:${(toolServer.address() as AddressInfo).port}`
const fields = () => ({
  name: '在线测验',
  nameEn: 'Quiz',
  initiateUrl: `${toolOrigin()}/login`,
  targetUrl: `${toolOrigin()}/content`,
  redirectUris: [`${toolOrigin()}/launch`],
  deepLinkUrl: `${toolOrigin()}/choose`,
  jwksUrl: `${toolOrigin()}/jwks`,
  jwks: null,
  scopes: Object.values(ltiScopes),
  custom: { campus: 'main' },
  tellsName: true,
  tellsEmail: true,
  enabled: true,
})

/** The library with in-memory storage. */
function libraryOf({ clientId, deploymentId }: LtiTool) {
  const nonces = new Set<string>()
  const storage = {
    storeNonce: async (nonce: string) => void nonces.add(nonce),
    validateNonce: async (nonce: string) => nonces.delete(nonce),
    addSession: async ({ id }: { id: string }) => id,
    getLaunchConfig: async (iss: string, client: string, deployment: string) =>
      iss === origin && client === clientId && deployment === deploymentId
        ? {
            iss,
            clientId,
            deploymentId,
            authUrl: `${origin}/lti/auth`,
            tokenUrl: `${origin}/lti/token`,
            jwksUrl: `${origin}/lti/jwks`,
          }
        : undefined,
  }
  return new LTITool({
    stateSecret: new TextEncoder().encode('a secret of the tool, 32 bytes long'),
    keyPair: keys,
    storage: storage as never,
  })
}

beforeAll(async () => {
  app = await testApp()
  const port = await freePort()
  node = await openNode(app.url, { PORT: String(port), ATRIUM_OUTBOUND_ALLOW: '127.0.0.1/32' })
  await node.app.listen({ port, host: '127.0.0.1' })
  origin = `http://localhost:${port}`
  keys = await generateKeyPair('RS256', { extractable: true })
  toolServer = createServer(async (request, response) => {
    if (request.url === '/slow-jwks') {
      heldRequests.push(response)
      return
    }
    const key = { ...(await exportJWK(keys.publicKey)), kid: 'main', alg: 'RS256', use: 'sig' }
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [key] }))
  })
  await new Promise<void>((settle) => toolServer.listen(0, '127.0.0.1', settle))
  admin = await app.as('admin')
  student = await app.as('student')
  tool = (await admin(ltiConsole.create, { body: fields() })).data
  library = libraryOf(tool)
  course = (await student(study.courses)).data.find(({ name }) => name === '机器学习导论')?.id ?? ''
  const added = await (await app.as('teacher'))(lti.add, {
    params: { id: course },
    body: { toolId: tool.id, title: '第三章测验' },
  })
  material = added.data.id
})
afterAll(async () => {
  toolServer.close()
  await node.app.close()
  await node.platform.close()
})

/** Tokens are valid only at the origin of the node that issued them. */
const tokens = new Map<string, string>()
async function tokenOf(username: string) {
  const known = tokens.get(username)
  if (known) return known
  const answer = await node.app.inject({
    method: 'POST',
    url: identity.passwordLogin.path,
    payload: { username, password: demoPassword },
  })
  const token = idTokenOf(answer.json().data)
  tokens.set(username, token)
  return token
}
const ask = async (username: string, url: string) =>
  node.app.inject({ method: 'POST', url, headers: { 'x-id-token': await tokenOf(username) } })

/** Launches in the member's browser: returns the tool's login request and the browser's cookie. */
async function begin(username = 'student', path = lti.launch.path.replace('{id}', material)) {
  const answer = await ask(username, path)
  const initiation = new URL(answer.json().data.url)
  const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const params = Object.fromEntries(initiation.searchParams) as Parameters<
    LTITool['handleLogin']
  >[0]
  const address = new URL(
    await library.handleLogin({ ...params, launchUrl: `${toolOrigin()}/launch` }),
  )
  return { address, cookie }
}
/** The form fields sent to the tool, or the error. */
async function authorize(address: URL, cookie: string) {
  const answer = await fetch(address, { headers: { cookie }, redirect: 'manual' })
  const html = await answer.text()
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''
  return { status: answer.status, html, idToken: field('id_token'), state: field('state') }
}
async function launch(username = 'student', path?: string) {
  const { address, cookie } = await begin(username, path)
  const { idToken, state } = await authorize(address, cookie)
  const claims = await library.verifyLaunch(idToken, state)
  return { claims, session: await library.createSession(claims) }
}
const claim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`

describe('an LTI launch', () => {
  test('sends a member to the tool, which verifies identity and role', async () => {
    const { claims, session } = await launch()
    expect(claims).toMatchObject({
      iss: origin,
      aud: tool.clientId,
      name: '林知夏',
      [claim('deployment_id')]: tool.deploymentId,
      [claim('target_link_uri')]: `${toolOrigin()}/content`,
      [claim('resource_link')]: { id: material, title: '第三章测验' },
      [claim('custom')]: { campus: 'main' },
    })
    expect(session).toMatchObject({ isStudent: true, isInstructor: false })
    expect((await launch('teacher')).session.isInstructor).toBe(true)
    expect(claims.sub).not.toBe((await launch('teacher')).claims.sub)
  })

  test('is posted by a page that can submit to the tool only', async () => {
    const { address, cookie } = await begin()
    const answer = await fetch(address, { headers: { cookie } })
    expect(answer.headers.get('content-security-policy')).toContain(`form-action ${toolOrigin()};`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('can be requested by POST, which is redirected to GET', async () => {
    const { address, cookie } = await begin()
    const posted = await fetch(`${origin}/lti/auth`, {
      method: 'POST',
      body: address.searchParams,
      redirect: 'manual',
    })
    expect(posted.status).toBe(303)
    const to = new URL(posted.headers.get('location') ?? '', origin)
    expect((await authorize(to, cookie)).status).toBe(200)
  })

  test('can be used only once', async () => {
    const { address, cookie } = await begin()
    expect((await authorize(address, cookie)).status).toBe(200)
    expect((await authorize(address, cookie)).status).toBe(403)
  })

  const changed = (name: string, value: string) => (address: URL) =>
    address.searchParams.set(name, value)
  test.each<[string, (address: URL) => void, number]>([
    ['with an unregistered redirect URI', changed('redirect_uri', 'https://evil.example/'), 400],
    ['with an unknown client', changed('client_id', 'lti-nobody'), 400],
    ['with the response type code', changed('response_type', 'code'), 400],
    ['without a nonce', (address) => address.searchParams.delete('nonce'), 400],
    ['with another login hint', changed('login_hint', 'x'), 403],
    ['with a made-up message hint', changed('lti_message_hint', 'x'), 403],
  ])('%s is rejected', async (_, change, status) => {
    const { address, cookie } = await begin()
    change(address)
    const answer = await authorize(address, cookie)
    expect(answer.status).toBe(status)
    expect(answer.idToken).toBe('')
  })

  test('is rejected in another browser and after it has expired', async () => {
    const { address, cookie } = await begin()
    expect((await authorize(address, '')).status).toBe(403)
    const other = await begin('teacher')
    expect((await authorize(address, other.cookie)).status).toBe(403)
    await sql`update lti_launch set expires_at = now() - interval '1 second'`.execute(
      app.platform.db,
    )
    expect((await authorize(address, cookie)).status).toBe(403)
  })

  test('of one tool cannot be used by another', async () => {
    const other = await admin(ltiConsole.create, { body: fields() })
    const { address, cookie } = await begin()
    address.searchParams.set('client_id', other.data.clientId)
    expect((await authorize(address, cookie)).status).toBe(403)
  })

  test('is available to members of the course only', async () => {
    for (const username of ['staff', 'admin']) {
      const answer = await ask(username, lti.launch.path.replace('{id}', material))
      expect(answer.json()).toMatchObject({ code: 404, error: 'study.material_not_found' })
    }
    expect(
      await student(lti.add, { params: { id: course }, body: { toolId: tool.id, title: 'x' } }),
    ).toMatchObject({ status: 404 })
    expect(await student(lti.choose, { params: { id: course, toolId: tool.id } })).toMatchObject({
      status: 404,
    })
    expect((await app.visitor(lti.launch, { params: { id: material } })).status).toBe(401)
  })
})

describe('LTI services', () => {
  test('list the members of the course page by page', async () => {
    const { session } = await launch()
    const members = await library.getMembers(session)
    expect(members.filter(({ roles }) => roles[0]?.endsWith('#Instructor'))).toMatchObject([
      { name: '周明远', status: 'Active' },
    ])
    expect(members.find(({ name }) => name === '林知夏')?.userId).toBe(session.user.id)

    const { body } = await tokenFor(await assertion({}))
    const pages: string[][] = []
    let next: string | undefined = `${origin}/lti/courses/${course}/members?limit=20`
    while (next) {
      const answer: Response = await fetch(next, {
        headers: { authorization: `Bearer ${body.access_token}` },
      })
      const page = (await answer.json()) as { members: { user_id: string }[] }
      pages.push(page.members.map(({ user_id }) => user_id))
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1]
    }
    expect(pages.length).toBeGreaterThan(1)
    for (const page of pages.slice(0, -1)) expect(page).toHaveLength(20)
    expect(pages.flat().toSorted()).toEqual(members.map(({ userId }) => userId).toSorted())
  })

  test('store scores in a line item of the tool, and the student sees them', async () => {
    const { session } = await launch('teacher')
    const item = await library.createLineItem(session, {
      label: '测验三',
      scoreMaximum: 50,
      tag: 'quiz',
    })
    expect((await library.listLineItems(session)).map(({ id }) => id)).toEqual([item.id])
    const { session: ours } = await launch()
    const graded = {
      ...ours,
      services: { ...ours.services, ags: { lineitem: item.id, lineitems: '', scopes: [] } },
    }
    const score = {
      userId: ours.user.id,
      scoreGiven: 8,
      scoreMaximum: 10,
      comment: '不错',
      timestamp: new Date().toISOString(),
      activityProgress: 'Completed',
      gradingProgress: 'FullyGraded',
    } as const
    await library.submitScore(graded, score)
    expect(await library.getScores(graded)).toMatchObject([
      { userId: ours.user.id, resultScore: 40, resultMaximum: 50 },
    ])
    const { data } = await student(study.read, { params: { id: course } })
    expect(data.assignments.find(({ title }) => title === '测验三')?.mark).toMatchObject({
      score: 40,
      points: 50,
      feedback: '不错',
    })
    // An older score is refused, and so is one for somebody outside the course.
    await expect(
      library.submitScore(graded, { ...score, timestamp: '2020-01-01T00:00:00Z' }),
    ).rejects.toThrow()
    await expect(library.submitScore(graded, { ...score, userId: 'x' })).rejects.toThrow()
    await library.deleteLineItem(graded)
    expect(await library.listLineItems(session)).toEqual([])
  })

  const assertion = (claims: object, kid = 'main') =>
    new SignJWT({
      iss: tool.clientId,
      sub: tool.clientId,
      aud: `${origin}/lti/token`,
      jti: crypto.randomUUID(),
      iat: Math.floor(Date.now() / 1000),
      exp: Math.floor(Date.now() / 1000) + 60,
      ...claims,
    })
      .setProtectedHeader({ alg: 'RS256', kid })
      .sign(keys.privateKey)
  const tokenFor = async (client_assertion: string, scope: string = ltiScopes.members) => {
    const answer = await fetch(`${origin}/lti/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        client_assertion,
        scope,
      }),
    })
    return { status: answer.status, body: (await answer.json()) as Record<string, string> }
  }

  test('issue a token for an assertion of the tool, once', async () => {
    const signed = await assertion({})
    expect(await tokenFor(signed)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
    expect(await tokenFor(signed)).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
    for (const claims of [
      { aud: 'https://elsewhere.example/token' },
      { iss: 'lti-nobody', sub: 'lti-nobody' },
      { sub: 'somebody' },
      { exp: Math.floor(Date.now() / 1000) - 600 },
      { exp: Math.floor(Date.now() / 1000) + 86_400 },
      { jti: undefined },
    ])
      expect((await tokenFor(await assertion(claims))).status).toBe(401)
    expect(await tokenFor(await assertion({}), 'openid')).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    })
  })

  test('refuse the line items of a course that no longer contains the tool', async () => {
    const teacher = await app.as('teacher')
    const { data: other } = await admin(ltiConsole.create, { body: fields() })
    const link = await teacher(lti.add, {
      params: { id: course },
      body: { toolId: other.id, title: '随堂测' },
    })
    const signed = await assertion({ iss: other.clientId, sub: other.clientId })
    const { body } = await tokenFor(signed, ltiScopes.lineItem)
    const headers = { authorization: `Bearer ${body.access_token}` }
    const created = await fetch(`${origin}/lti/courses/${course}/lineitems`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/vnd.ims.lis.v2.lineitem+json' },
      body: JSON.stringify({ label: '随堂测', scoreMaximum: 10 }),
    })
    const { id: item } = (await created.json()) as { id: string }
    expect((await fetch(item, { headers })).status).toBe(200)
    await teacher(studyTeaching.removeMaterial, { params: { id: link.data.id } })
    expect((await fetch(item, { headers })).status).toBe(404)
    expect((await fetch(item, { method: 'DELETE', headers })).status).toBe(404)
  })

  test('check the scope, and allow only courses of the tool', async () => {
    const { body } = await tokenFor(await assertion({}))
    const get = async (path: string, bearer = body.access_token) =>
      (await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${bearer}` } })).status
    expect(await get(`/lti/courses/${course}/members`)).toBe(200)
    expect(await get(`/lti/courses/${course}/lineitems`)).toBe(403)
    expect(await get('/lti/courses/3/members')).toBe(404)
    expect(await get(`/lti/courses/${course}/members`, 'x')).toBe(401)
    // One of our tokens for another purpose.
    expect(await get(`/lti/courses/${course}/members`, await tokenOf('student'))).toBe(401)
    expect(await get('/lti/lineitems/1')).toBe(403)
  })
})

describe('deep linking', () => {
  const choose = () => lti.choose.path.replace('{id}', course).replace('{toolId}', tool.id)
  const send = async (jwt: string) => {
    const answer = await fetch(`${origin}/lti/deep-linking`, {
      method: 'POST',
      body: new URLSearchParams({ JWT: jwt }),
      redirect: 'manual',
    })
    return { status: answer.status, to: answer.headers.get('location') }
  }
  const jwtIn = (html: string) => /name="JWT" value="([^"]*)"/.exec(html)?.[1] ?? ''

  test('adds the items chosen by a teacher to the course, once', async () => {
    const { session } = await launch('teacher', choose())
    expect(session.isDeepLinkingAvailable).toBe(true)
    const html = await library.createDeepLinkingResponse(session, [
      { type: 'ltiResourceLink', title: '第四章测验', url: `${toolOrigin()}/quiz/4` },
      { type: 'ltiResourceLink', title: '别处', url: 'https://evil.example/' },
      { type: 'link', title: '讲义', url: 'https://example.org/notes' },
    ])
    expect(await send(jwtIn(html))).toEqual({
      status: 303,
      to: `/study-center/pages/studyCenter/teachingCourse?id=${course}`,
    })
    expect((await send(jwtIn(html))).status).toBe(403)
    const { data } = await student(study.read, { params: { id: course } })
    expect(data.materials.slice(-2)).toMatchObject([
      { kind: 'tool', title: '第四章测验' },
      { kind: 'link', title: '讲义', url: 'https://example.org/notes' },
    ])
    const path = lti.launch.path.replace('{id}', data.materials.at(-2)?.id ?? '')
    expect((await launch('student', path)).session.launch.target).toBe(`${toolOrigin()}/quiz/4`)
  })

  const notes = { type: 'link', title: '讲义二', url: 'https://example.org/notes-2' } as const
  const selected = async (count = 1) => {
    const { session } = await launch('teacher', choose())
    return jwtIn(await library.createDeepLinkingResponse(session, Array(count).fill(notes)))
  }

  test.each<[string, (undo: boolean) => ReturnType<typeof sql>]>([
    [
      'no longer teaches the course',
      (undo) => sql`update calendar_member set role = ${undo ? 'teaches' : 'attends'}
        where account_id = (select id from account where username = 'teacher')
          and calendar_id = (select calendar_id from course where id = ${course})`,
    ],
    [
      'was disabled',
      (undo) =>
        sql`update account set status = ${undo ? 'active' : 'disabled'} where username = 'teacher'`,
    ],
  ])('rejects the selection of a teacher who %s', async (_, change) => {
    const jwt = await selected()
    await change(false).execute(app.platform.db)
    expect((await send(jwt)).status).toBe(403)
    await change(true).execute(app.platform.db)
  })

  test('rejects a selection that exceeds the limit of materials', async () => {
    const { db } = app.platform
    const jwt = await selected(2)
    await sql`insert into study_material (course_id, position, kind, title, url)
      select ${course}, number, 'link', 'filler', 'https://example.org/'
      from generate_series(1, 199 - (select count(*) from study_material where course_id = ${course})) number`.execute(
      db,
    )
    expect((await send(jwt)).status).toBe(409)
    const { rows } = await sql`select from study_material where course_id = ${course}`.execute(db)
    expect(rows).toHaveLength(199)
    await sql`delete from study_material where title = 'filler'`.execute(db)
    // Nothing was stored, so it can be sent again.
    expect((await send(jwt)).status).toBe(303)
  })

  test('holds no database connection while it fetches a tool’s keys, and fetches them once', async () => {
    const body = { ...fields(), jwksUrl: `${toolOrigin()}/slow-jwks` }
    const { data: slow } = await admin(ltiConsole.create, { body })
    const now = Math.floor(Date.now() / 1000)
    const sendSigned = async () =>
      send(
        await new SignJWT({ nonce: crypto.randomUUID() })
          .setProtectedHeader({ alg: 'RS256', kid: 'main' })
          .setIssuer(slow.clientId)
          .setAudience(origin)
          .setIssuedAt(now)
          .setExpirationTime(now + 60)
          .sign(keys.privateKey),
      )
    const answers = Promise.all(Array.from({ length: 5 }, sendSigned))
    await expect.poll(() => heldRequests.length).toBeGreaterThan(0)
    const { rows } = await sql`select from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction' and query like '%lti_tool%'`.execute(app.platform.db)
    expect(rows).toEqual([])
    for (const response of heldRequests) response.writeHead(500).end()
    expect((await answers).map(({ status }) => status)).toEqual(Array(5).fill(403))
    // The failure is remembered.
    expect((await sendSigned()).status).toBe(403)
    expect(heldRequests).toHaveLength(1)
  })

  test.each<[string, object]>([
    ['a response for another platform', { platform: { issuer: 'https://elsewhere.example' } }],
    ['a response of another deployment', { platform: { deploymentId: 'another' } }],
    ['a response without a request', { services: { deepLinking: { data: 'x.y' } } }],
  ])('rejects %s', async (_, changes) => {
    const { session } = await launch('teacher', choose())
    const merged = structuredClone(session) as unknown as Record<string, Record<string, unknown>>
    for (const [name, value] of Object.entries(changes as Record<string, Record<string, unknown>>))
      if (name === 'services')
        merged.services = {
          deepLinking: {
            ...(merged.services?.deepLinking as object),
            ...(value.deepLinking as object),
          },
        }
      else merged[name] = { ...merged[name], ...value }
    const html = await library.createDeepLinkingResponse(merged as never, [])
    expect((await send(jwtIn(html))).status).toBe(403)
  })
})

describe('operators', () => {
  test('register, change and disable tools; members cannot', async () => {
    expect((await admin(ltiConsole.platform)).data.issuer).toMatch(/^http/)
    expect((await student(ltiConsole.list)).status).toBe(403)
    expect(await admin(ltiConsole.create, { body: { ...fields(), jwksUrl: '' } })).toMatchObject({
      status: 400,
      fields: { jwksUrl: expect.any(String) },
    })
    expect(await admin(ltiConsole.create, { body: { ...fields(), scopes: ['x'] } })).toMatchObject({
      status: 400,
    })
    expect(await admin(ltiConsole.remove, { params: { id: tool.id } })).toMatchObject({
      error: 'lti.tool_used',
    })
    expect(await admin(ltiConsole.update, { params: { id: '999' }, body: fields() })).toMatchObject(
      { status: 404 },
    )
    const { address, cookie } = await begin()
    await admin(ltiConsole.update, {
      params: { id: tool.id },
      body: { ...fields(), enabled: false },
    })
    expect((await authorize(address, cookie)).status).toBe(400)
    await admin(ltiConsole.update, { params: { id: tool.id }, body: fields() })
    const made = await admin(ltiConsole.create, { body: fields() })
    expect((await admin(ltiConsole.remove, { params: { id: made.data.id } })).status).toBe(200)
  })
})
