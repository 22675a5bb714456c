import type {
  HttpWay,
  PersonalConnector,
  SourceKind,
} from '@atrium/contract/member/personal-source'
import type { Mapped } from '@atrium/contract/work/task-connector'
import { lowerCaseNames } from '#domains/work/task-integration/connector-list.ts'
import { readerOf } from '#domains/work/task-integration/connector-mapping.ts'
import {
  createRequester,
  parseJson,
  type Requester,
} from '#domains/work/task-integration/connector-request.ts'
import { expandPointers, valueAt } from '#domains/work/task-integration/pointer.ts'
import { type Problem, type RawFields, shapes } from './shapes.ts'
import { assertOwner, type RawAnswer, SourceError, type SourceRequest } from './source-request.ts'

const maxBytes = 2_000_000

/** Reads JSON over HTTP as described by the connector. */
export async function queryHttp(
  kind: SourceKind,
  { timeoutSeconds, by }: PersonalConnector,
  transport: HttpWay,
  { secret, allow, who }: SourceRequest,
): Promise<RawAnswer> {
  const request = createRequester(
    { timeoutSeconds, authentication: transport.authentication },
    secret,
    allow,
  )
  const listNames = Object.keys(shapes[kind].lists).filter((name) => transport.lists[name])
  const [main, ...listDocuments] = await Promise.all([
    fetchDocument(request, transport, who),
    ...listNames.map(async (name) => {
      const listRequest = transport.lists[name]?.ask
      return listRequest ? fetchDocument(request, listRequest, who) : undefined
    }),
  ])
  if (main === undefined) return undefined
  const problems: Problem[] = []
  const textOf = (item: unknown, mapped: Mapped | undefined, path: string, field: string) => {
    const issues: { at: string; field: string; text: string }[] = []
    const text = readerOf(item, path, '', issues).text(mapped, field)
    problems.push(...issues.map(({ at, text }) => ({ field: at, text })))
    return text
  }
  // Unmapped data is left out; an answer about nobody or about somebody else is refused as a whole.
  const checkOwner = (item: unknown, mapped: Mapped) => {
    if (kind !== 'scan') assertOwner(textOf(item, mapped, '', 'owner'), who, by)
  }
  checkOwner(main, transport.owner)
  const lists: RawFields['lists'] = {}
  for (const [index, name] of listNames.entries()) {
    const {
      ask: listRequest,
      owner,
      items: pointer,
      fields,
    } = transport.lists[name] as HttpWay['lists'][string]
    const document = listRequest ? listDocuments[index] : main
    const items = document === undefined ? [] : (valueAt(document, pointer) ?? [])
    if (!Array.isArray(items)) {
      problems.push({ field: pointer || '/', text: `has no array for ${name}` })
      continue
    }
    if (listRequest && !owner && document !== undefined) checkOwner(document, transport.owner)
    if (owner) for (const item of items) checkOwner(item, owner)
    lists[name] = items.map(
      (item, itemIndex) => (field) => textOf(item, fields[field], `${pointer}/${itemIndex}`, field),
    )
  }
  return {
    raw: { text: (field) => textOf(main, transport.fields[field], '', field), lists },
    problems,
  }
}

/** @returns undefined if the system does not know the member */
async function fetchDocument(
  request: Requester,
  { address, query, headers }: Pick<HttpWay, 'address' | 'query' | 'headers'>,
  who: object,
): Promise<unknown> {
  const url = new URL(expandPointers(address, who, encodeURIComponent))
  for (const [name, value] of Object.entries(query))
    url.searchParams.set(name, expandPointers(value, who))
  const { status, bytes } = await request(url.href, { headers: lowerCaseNames(headers), maxBytes })
  if (status === 404 || status === 204) return undefined
  if (status !== 200) throw new SourceError(`it answered with status ${status}`)
  const answer = parseJson(bytes)
  if (answer === undefined) throw new SourceError('its answer is not JSON')
  return answer
}
