import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { identity } from '@atrium/contract/identity/identity'
import { serviceOpening } from '@atrium/contract/services/service-opening'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeParty } from '#domains/sso/registry/change.ts'
import { emptyParty } from '#domains/sso/registry/rules.ts'
import { audienceFor } from '#platform/audience.ts'
import { invalidate } from '#platform/database/topics.ts'
import { freePort } from '../../../../test/free-port.ts'
import { demoPassword, openNode, type TestApp, testApp } from '../../../../test/test-app.ts'

let app: TestApp
let node: Awaited<ReturnType<typeof openNode>>
let origin: string
beforeAll(async () => {
  app = await testApp()
  const port = await freePort()
  node = await openNode(app.url, { PORT: String(port) })
  await node.app.listen({ port, host: '127.0.0.1' })
  origin = `http://localhost:${port}`
})
afterAll(async () => {
  await node.app.close()
  await node.platform.close()
})

/** Adds a service and its registration as a relying party. */
async function addService(code: string, url: string) {
  const id = await node.platform.db.transaction().execute(async (db) => {
    const row = await db
      .insertInto('service')
      .values({
        service_no: code,
        name: code,
        type_id: '1',
        url,
        token_accept: JSON.stringify([{ tokenType: 'url', tokenKey: 'token' }]),
        audience_id: await audienceFor(db, [{ effect: 'include', kind: 'everybody' }]),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await invalidate(db, 'services')
    await writeParty(db, 'create', {
      code,
      loopback: true,
      content: {
        ...emptyParty,
        serviceId: row.id,
        addresses: [new URL('/', url).href],
        attributes: ['name'],
      },
    })
    return row.id
  })
  await node.platform.topics.flushed()
  return id
}

async function call(path: string, body: object, token = '') {
  const answer = await fetch(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { 'x-id-token': token }) },
    body: JSON.stringify(body),
  })
  return ((await answer.json()) as { data: Record<string, string> }).data
}

test('the example service is opened from the portal with a single-use token of its own', async () => {
  const port = await freePort()
  const home = `http://localhost:${port}`
  const own = await addService('print', `${home}/jobs?tab=new`)
  const other = await addService('other', 'http://localhost:4199/')
  const example = path.join(
    import.meta.dirname,
    '../../../../../../examples/jump-token/service.mjs',
  )
  const child = spawn(process.execPath, [example], {
    env: {
      ...process.env,
      PORTAL: origin,
      AUDIENCE: 'print',
      ORIGIN: home,
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const visit = (address: string, cookie = '') =>
    fetch(address.replace('localhost', '127.0.0.1'), { redirect: 'manual', headers: { cookie } })
  try {
    await once(child.stdout, 'data')
    const signedIn = { username: 'student', password: demoPassword }
    const { idToken } = await call(identity.passwordLogin.path, signedIn)
    const launch = async (serviceId: string) =>
      (await call(serviceOpening.launch.path, { serviceId }, idToken)).url ?? ''
    const opened = await launch(own)
    const entered = await visit(opened)
    expect(entered.status).toBe(303)
    expect(entered.headers.get('location')).toBe(`${home}/jobs?tab=new`)
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const page = await visit(`${home}/jobs?tab=new`, cookie)
    expect(await page.text()).toMatch(/^Welcome, .+ \(student\)\.$/)

    expect((await visit(home)).status).toBe(401)
    expect((await visit(opened)).status, 'the second time').toBe(401)
    const token = new URL(await launch(other)).searchParams.get('token') ?? ''
    expect(token).toMatch(/^ey/)
    for (const wrong of [token, idToken, 'made.up.token', ''])
      expect((await visit(`${home}/?token=${wrong}`)).status).toBe(401)
  } finally {
    child.kill()
  }
})
