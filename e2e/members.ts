import { todos } from '@atrium/contract/work/todos'
import { type Browser, expect, type Page } from '@playwright/test'
import { atrium } from './command-line.ts'
import { withoutPrefetching } from './quiet.ts'
import { idToken, password, storedSession } from './session.ts'

/**
 * Creates teachers of one department for one test file, so that no other test changes their lists, counts and messages.
 * Returns once they can be found by name. A retry reuses them.
 * @param people full names by username
 */
export async function createMembers(url: string, people: Readonly<Record<string, string>>) {
  await Promise.all(
    Object.entries(people).map(async ([username, name]) => {
      const facts = ['--name', name, '--identity', 'T01', '--organization', 'MA']
      await atrium(['user', 'create', username, ...facts]).catch(() => {})
      await atrium(['user', 'password', username, '--stdin', '--keep'], password)
    }),
  )
  const headers = { 'x-id-token': await idToken(url, 'admin') }
  for (const name of Object.values(people)) {
    const address = `${url}${todos.people.path}?${new URLSearchParams({ keyWords: name })}`
    const found = async () => (await (await fetch(address, { headers })).json()).data.length
    const why = `nobody is called ${name}: another file of tests may have made the same account`
    await expect.poll(found, { timeout: 60_000, message: why }).toBe(1)
  }
}

/** A page of a member on their own device. */
export async function openAs(
  browser: Browser,
  url: string,
  username: string,
  path: string,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width: 375, height: 812 },
    storageState: await storedSession(url, username),
  })
  await withoutPrefetching(context)
  const page = await context.newPage()
  await page.goto(path)
  return page
}
