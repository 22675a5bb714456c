import { createHash } from 'node:crypto'
import type { TaskConnector } from '@atrium/contract/work/task-connector'
import { parseJson, type Requester } from './connector-request.ts'
import { textOf, valueAt } from './pointer.ts'

/** A list beyond these limits is treated as endless. */
const [maxPages, maxItems, maxListBytes] = [1000, 20_000, 64_000_000]
const maxPageBytes = 16_000_000
const maxSeconds = 300

export type ListPage = {
  number: number
  items: unknown[]
  last: boolean
  /** the list changed while it was read, so a missing task may still exist */
  moved: boolean
  /** only for unpaged lists */
  etag: string | undefined
}

/**
 * Reads a list page by page. A short page does not end the list, because systems cap their page size.
 * @param etag from the previous read of the list; yields no page if it is unchanged
 * @throws Error explaining why the list cannot be read completely
 */
export async function* readPages(
  request: Requester,
  { list, paging, items: itemsAt }: Pick<TaskConnector, 'list' | 'paging' | 'items'>,
  etag?: string,
): AsyncGenerator<ListPage> {
  const deadline = Date.now() + maxSeconds * 1000
  const seenDigests = new Set<string>()
  let [count, size] = [0, 0]
  let total: number | undefined
  let moved = false
  let address: string | undefined = firstAddress(list, paging)
  for (let number = 1; address !== undefined; number++) {
    if (number > maxPages) throw new Error(`the list has more than ${maxPages} pages`)
    if (Date.now() > deadline)
      throw new Error(`the list takes longer than ${maxSeconds / 60} minutes`)
    const { status, bytes, headers } = await request(address, {
      headers: {
        ...lowerCaseNames(list.headers),
        ...(etag && paging.kind === 'none' && { 'if-none-match': etag }),
      },
      maxBytes: maxPageBytes,
    })
    if (status === 304 && etag) return
    if (status !== 200) throw new Error(`the list answers with status ${status}`)
    size += bytes.length
    if (size > maxListBytes) throw new Error(`the list is larger than ${maxListBytes / 1e6} MB`)
    const answer = parseJson(bytes)
    if (answer === undefined) throw new Error(`page ${number} of the list is not JSON`)
    const items = valueAt(answer, itemsAt)
    if (!Array.isArray(items))
      throw new Error(`page ${number} has no array at “${itemsAt}” (/items)`)
    if (items.length > 0)
      assertNew(seenDigests, JSON.stringify(items), `page ${number} repeats an earlier one`)
    count += items.length
    if (count > maxItems) throw new Error(`the list has more than ${maxItems} tasks`)
    if (paging.total !== undefined) {
      const reportedTotal = Number(textOf(valueAt(answer, paging.total)) ?? Number.NaN)
      if (!Number.isSafeInteger(reportedTotal) || reportedTotal < 0)
        throw new Error(`page ${number} has no number at “${paging.total}” (/paging/total)`)
      if (total !== undefined && reportedTotal !== total) moved = true
      total = reportedTotal
    }
    const { link } = headers
    const next = nextAddress({ list, paging, answer, link, number, items, count, total })
    if (next !== undefined)
      assertNew(seenDigests, next, `page ${number} leads back to an earlier one`)
    if (next === undefined && total !== undefined && count !== total) moved = true
    yield {
      number,
      items,
      last: next === undefined,
      moved,
      etag: paging.kind === 'none' ? headers.etag : undefined,
    }
    address = next
  }
}

function assertNew(seenDigests: Set<string>, text: string, issue: string) {
  const digest = createHash('sha256').update(text).digest('base64')
  if (seenDigests.has(digest)) throw new Error(issue)
  seenDigests.add(digest)
}

export const lowerCaseNames = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

type Paging = TaskConnector['paging']

function addressWith(
  { address, query }: TaskConnector['list'],
  { parameter = '', sizeParameter, size }: Paging,
  position: string | number | undefined,
) {
  const url = new URL(address)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  if (sizeParameter) url.searchParams.set(sizeParameter, String(size))
  if (position !== undefined) url.searchParams.set(parameter, String(position))
  return url.href
}

function firstAddress(list: TaskConnector['list'], paging: Paging) {
  const { kind, first = 1 } = paging
  return addressWith(list, paging, kind === 'page' ? first : kind === 'offset' ? 0 : undefined)
}

/** @returns undefined after the last page */
function nextAddress({
  list,
  paging,
  answer,
  link: header,
  number,
  items,
  count,
  total,
}: {
  list: TaskConnector['list']
  paging: Paging
  answer: unknown
  link: string | string[] | undefined
  number: number
  items: unknown[]
  count: number
  total: number | undefined
}): string | undefined {
  const { kind, first = 1, next } = paging
  const isOver = items.length === 0 || (total !== undefined && count >= total)
  switch (kind) {
    case 'none':
      return undefined
    case 'page':
      return isOver ? undefined : addressWith(list, paging, first + number)
    case 'offset':
      return isOver ? undefined : addressWith(list, paging, count)
    case 'cursor': {
      const cursor = textOf(valueAt(answer, next ?? ''))
      return cursor === undefined || cursor === '' || cursor === 'false'
        ? undefined
        : addressWith(list, paging, cursor)
    }
    case 'link': {
      const link = next === undefined ? linkIn(header) : textOf(valueAt(answer, next))
      return link ? linkOf(list.address, link) : undefined
    }
  }
}

/** Requests carry the secret, so links must stay on the origin in the description. */
function linkOf(address: string, link: string) {
  if (!URL.canParse(link, address)) throw new Error('the next page has no address')
  const url = new URL(link, address)
  if (url.origin !== new URL(address).origin)
    throw new Error(`the next page is at another host: ${url.host}`)
  return url.href
}

/** The `next` target of a `Link` header (RFC 8288). */
function linkIn(header: string | string[] | undefined): string | undefined {
  const links = String(header ?? '').slice(0, 10_000)
  for (const [, target, parameters = ''] of links.matchAll(/<([^<>]*)>([^<]*)/g))
    if (/;\s*rel\s*=\s*("([^"]*\s)?next(\s[^"]*)?"|next(?![^\s;,]))/i.test(parameters))
      return target
  return undefined
}
