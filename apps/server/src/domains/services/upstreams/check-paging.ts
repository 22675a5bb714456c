import type { UpstreamName } from '@atrium/contract/services/upstreams'
import {
  type Call,
  callUpstream,
  dataOf,
  type Inputs,
  type Note,
  type Schema,
  schemaIssue,
  type VerifySettings,
} from './call-upstream.ts'

type Numbered = { list: unknown[]; total: number; pageNo: number; pageSize: number }
type ByCursor = { list: unknown[]; nextCursor: string | null }

export async function checkPaging(
  upstream: UpstreamName,
  settings: VerifySettings,
  call: Call,
  inputs: Inputs,
  first: unknown,
  note: Note,
) {
  const { token } = settings
  const fields = (call.endpoint.query as Schema | undefined)?.properties ?? {}
  if (!('pageSize' in fields)) return
  const page = async <T>(override: Inputs): Promise<T> => {
    const read = dataOf(
      await callUpstream(upstream, settings, call.endpoint, { ...inputs, ...override }, { token }),
    )
    if ('issue' in read) throw new PagingIssue(`${new URLSearchParams(override)}: ${read.issue}`)
    const issue = schemaIssue(call.endpoint, read.data)
    if (issue) throw new PagingIssue(`${new URLSearchParams(override)}: ${issue}`)
    return read.data as T
  }
  try {
    // If the first answer has the wrong shape, paging cannot be checked.
    if (schemaIssue(call.endpoint, first)) return
    // Some lists support both kinds of paging: check the one used by default.
    if ('cursor' in fields && !('total' in (first as object)))
      await checkCursor(page, (first as ByCursor).list.length)
    else if ('pageNo' in fields) await checkNumbered(page)
    note('paging', undefined, 'pages are as requested')
  } catch (error) {
    if (!(error instanceof PagingIssue)) throw error
    note('paging', error.message, '')
  }
}

class PagingIssue extends Error {}
const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
function assertPaging(condition: boolean, message: string) {
  if (!condition) throw new PagingIssue(message)
}

async function checkNumbered(page: <T>(override: Inputs) => Promise<T>) {
  const firstPage = await page<Numbered>({ pageNo: '1', pageSize: '1' })
  assertPaging(firstPage.list.length <= 1, `pageSize=1 is answered with ${firstPage.list.length}`)
  assertPaging(
    firstPage.pageNo === 1 && firstPage.pageSize === 1,
    'pageNo and pageSize differ from those requested',
  )
  assertPaging(
    firstPage.total >= firstPage.list.length,
    `total is ${firstPage.total}, but the list has ${firstPage.list.length}`,
  )
  assertPaging(
    firstPage.total === 0 || firstPage.list.length === 1,
    `total is ${firstPage.total}, but the list is empty`,
  )
  if (firstPage.total > 1) {
    const secondPage = await page<Numbered>({ pageNo: '2', pageSize: '1' })
    assertPaging(
      secondPage.total === firstPage.total,
      `total is ${firstPage.total} on page 1 and ${secondPage.total} on page 2`,
    )
    assertPaging(
      secondPage.list.length === 1 && !isEqual(secondPage.list, firstPage.list),
      'page 2 is page 1 again, or empty',
    )
  }
  const pastEnd = await page<Numbered>({ pageNo: String(firstPage.total + 5), pageSize: '1' })
  assertPaging(
    pastEnd.list.length === 0,
    `total is ${firstPage.total}, but a page past the end is not empty`,
  )
  assertPaging(
    pastEnd.total === firstPage.total,
    `total is ${pastEnd.total} past the end and ${firstPage.total} before`,
  )
  const largePage = await page<Numbered>({ pageNo: '1', pageSize: '9999' })
  assertPaging(
    largePage.list.length <= 200,
    `pageSize=9999 is answered with ${largePage.list.length}, more than 200`,
  )
  const expected = Math.min(largePage.total, largePage.pageSize)
  assertPaging(
    largePage.list.length === expected,
    `total is ${largePage.total}, but a large page has ${largePage.list.length}`,
  )
}

async function checkCursor(page: <T>(override: Inputs) => Promise<T>, defaultCount: number) {
  const firstPage = await page<ByCursor>({ pageSize: '1' })
  assertPaging(firstPage.list.length <= 1, `pageSize=1 is answered with ${firstPage.list.length}`)
  if (defaultCount > 1) {
    const { nextCursor } = firstPage
    if (nextCursor === null) throw new PagingIssue('there are more entries, but nextCursor is null')
    const secondPage = await page<ByCursor>({ pageSize: '1', cursor: nextCursor })
    assertPaging(
      secondPage.list.length === 1 && !isEqual(secondPage.list, firstPage.list),
      'the second page is the first again',
    )
  }
  const largePage = await page<ByCursor>({ pageSize: '9999' })
  assertPaging(
    largePage.list.length <= 200,
    `pageSize=9999 is answered with ${largePage.list.length}, more than 200`,
  )
}
