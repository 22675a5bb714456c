import { createServer } from 'node:http'
import { registry } from '@atrium/contract/sso/registry'
import { taskIntegration } from '@atrium/contract/work/task-integration'
import { taskSources } from '@atrium/contract/work/task-sources.operator'
import { type APIRequestContext, expect, type Page } from '@playwright/test'
import { createMembers } from './members.ts'
import { idToken } from './session.ts'

/**
 * One server that acts as several systems with tasks.
 * @param prefix of the systems' codes, unique to a test file: registering a system again replaces its secret
 * @param systems their names
 */
export function taskDesk<System extends string>(
  prefix: string,
  systems: Readonly<Record<System, string>>,
) {
  const secrets = new Map<string, string>()
  /** Requests received by the desk. */
  // biome-ignore lint/suspicious/noExplicitAny: what came is what is tested
  const received: any[] = []
  const desk = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      received.push(JSON.parse(body).data)
      response.end('{"accepted":true}')
    })
  })

  return {
    receivedFor: (task: string) => received.filter((one) => one.task === task),

    /** Listens on a port that the server may connect to, and registers the systems. */
    async start(request: APIRequestContext, url: string, port: number) {
      await new Promise<void>((resolve) => desk.listen(port, '127.0.0.1', resolve))
      const headers = { 'x-id-token': await idToken(url, 'admin') }
      const posted = async (path: string, data: object) =>
        (await (await request.post(path, { headers, data })).json()).data
      // A retry finds them registered.
      for (const [system, name] of Object.entries(systems)) {
        const code = `${prefix}-${system}`
        await posted(registry.create.path, {
          code,
          name,
          redirectUris: [],
          integrations: ['transaction'],
        })
        const { secret } = await posted(registry.replaceSecret.path.replace('{code}', code), {})
        secrets.set(system, secret)
        await posted(taskSources.create.path, {
          code,
          name,
          system: code,
          callbackUrl: `http://127.0.0.1:${port}/handled`,
        })
      }
    },
    stop: () => new Promise((resolve) => desk.close(resolve)),

    async putTasks(request: APIRequestContext, system: System, username: string, list: object[]) {
      const grant = await request.post('/cas/oidc/token', {
        form: {
          grant_type: 'client_credentials',
          client_id: `${prefix}-${system}`,
          client_secret: secrets.get(system) ?? '',
        },
      })
      const { access_token } = await grant.json()
      const reply = await request.post(taskIntegration.put.path, {
        headers: { authorization: `Bearer ${access_token}` },
        data: {
          tasks: list.map((task) => ({
            applicant: { username: 'student' },
            steps: [{ key: 's1', username, name: '审批', actions }],
            ...task,
          })),
        },
      })
      expect(reply.ok(), await reply.text()).toBe(true)
    },
  }
}

/** A new member: counts of others do not change, and a retry starts with an empty list. */
export async function signedIn(page: Page, url = '') {
  const mark = Math.floor(Math.random() * 20_000)
  const username = `inbox-${mark}`
  await createMembers(url, { [username]: `何以${String.fromCodePoint(0x4e00 + mark)}` })
  const token = await idToken(url, username)
  await page.context().addInitScript((value) => localStorage.setItem('idToken', value), token)
  return username
}

export const actions = [
  { code: 'approve', text: '同意', textEn: 'Approve', tone: 'primary' },
  { code: 'refuse', text: '不同意', textEn: 'Refuse', tone: 'danger', comment: 'required' },
]

export const openList = (page: Page) => page.goto('/pages/msgCenterTab/newtask/newtask?isactive=1')
export const list = (page: Page) => page.getByRole('list', { name: '待办', exact: true })
export const rowOf = (page: Page, title: string) =>
  list(page).getByRole('listitem').filter({ hasText: title })

/** Through the row's menu. */
export async function openApproval(page: Page, title: string) {
  await rowOf(page, title)
    .getByRole('button', { name: /^更多操作/ })
    .click()
  await page
    .getByRole('dialog', { name: title })
    .getByRole('button', { name: '同意', exact: true })
    .click()
  const dialog = page.getByRole('dialog', { name: '同意', exact: true })
  await expect(dialog).toBeVisible()
  return dialog
}
