import type { UpstreamName } from '@atrium/contract/services/upstreams'
import {
  ask,
  type Call,
  dataOf,
  type Inputs,
  type Note,
  type Schema,
  shapeIssue,
  type VerifySettings,
} from './ask-upstream.ts'

type Numbered = { list: unknown[]; total: number; pageNo: number; pageSize: number }
type ByCursor = { list: unknown[]; nextCursor: string | null }

export async function checkPaging(
  base: UpstreamName,
  settings: VerifySettings,
  call: Call,
  inputs: Inputs,
  first: unknown,
  note: Note,
) {
  const { token } = settings
  const fields = (call.endpoint.query as Schema | undefined)?.properties ?? {}
  if (!('pageSize' in fields)) return
  const page = async <T>(given: Inputs): Promise<T> => {
    const read = dataOf(
      await ask(base, settings, call.endpoint, { ...inputs, ...given }, { token }),
    )
    if ('issue' in read) throw new Misfit(`${new URLSearchParams(given)}: ${read.issue}`)
    const misfit = shapeIssue(call.endpoint, read.data)
    if (misfit) throw new Misfit(`${new URLSearchParams(given)}: ${misfit}`)
    return read.data as T
  }
  try {
    // If the first answer has the wrong shape, paging cannot be checked.
    if (shapeIssue(call.endpoint, first)) return
    // Some lists support both kinds of paging: check the one used by default.
    if ('cursor' in fields && !('total' in (first as object)))
      await checkCursor(page, (first as ByCursor).list.length)
    else if ('pageNo' in fields) await checkNumbered(page)
    note('paging', undefined, 'pages are as asked for')
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    note('paging', error.message, '')
  }
}

class Misfit extends Error {}
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
function hold(condition: boolean, otherwise: string) {
  if (!condition) throw new Misfit(otherwise)
}

async function checkNumbered(page: <T>(given: Inputs) => Promise<T>) {
  const one = await page<Numbered>({ pageNo: '1', pageSize: '1' })
  hold(one.list.length <= 1, `pageSize=1 is answered with ${one.list.length}`)
  hold(one.pageNo === 1 && one.pageSize === 1, 'pageNo and pageSize are not those asked for')
  hold(one.total >= one.list.length, `total is ${one.total}, and there are ${one.list.length}`)
  hold(one.total === 0 || one.list.length === 1, `total is ${one.total}, and the list is empty`)
  if (one.total > 1) {
    const two = await page<Numbered>({ pageNo: '2', pageSize: '1' })
    hold(two.total === one.total, `total is ${one.total} on page 1 and ${two.total} on page 2`)
    hold(two.list.length === 1 && !same(two.list, one.list), 'page 2 is page 1 again, or empty')
  }
  const past = await page<Numbered>({ pageNo: String(one.total + 5), pageSize: '1' })
  hold(past.list.length === 0, `total is ${one.total}, and there is more on a page past that`)
  hold(past.total === one.total, `total is ${past.total} past the end and ${one.total} before`)
  const all = await page<Numbered>({ pageNo: '1', pageSize: '9999' })
  hold(all.list.length <= 200, `pageSize=9999 is answered with ${all.list.length}, more than 200`)
  const expected = Math.min(all.total, all.pageSize)
  hold(
    all.list.length === expected,
    `total is ${all.total}, and a large page has ${all.list.length}`,
  )
}

async function checkCursor(page: <T>(given: Inputs) => Promise<T>, known: number) {
  const one = await page<ByCursor>({ pageSize: '1' })
  hold(one.list.length <= 1, `pageSize=1 is answered with ${one.list.length}`)
  if (known > 1) {
    const { nextCursor } = one
    if (nextCursor === null) throw new Misfit('there is more, and nextCursor is null')
    const two = await page<ByCursor>({ pageSize: '1', cursor: nextCursor })
    hold(two.list.length === 1 && !same(two.list, one.list), 'the second page is the first again')
  }
  const all = await page<ByCursor>({ pageSize: '9999' })
  hold(all.list.length <= 200, `pageSize=9999 is answered with ${all.list.length}, more than 200`)
}
