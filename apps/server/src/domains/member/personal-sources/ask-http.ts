import type {
  HttpWay,
  PersonalConnector,
  SourceKind,
} from '@atrium/contract/member/personal-source'
import type { Mapped } from '@atrium/contract/work/task-connector'
import { lowerCase } from '#domains/work/task-integration/connector-list.ts'
import { readerOf } from '#domains/work/task-integration/connector-mapping.ts'
import {
  openRequester,
  parseJson,
  type Requester,
} from '#domains/work/task-integration/connector-request.ts'
import { fillIn, valueAt } from '#domains/work/task-integration/pointer.ts'
import { type Asked, type Asking, isAbout, SourceError } from './asked.ts'
import { type Problem, type Raw, shapes } from './shapes.ts'

const maxBytes = 2_000_000

/** Reads JSON over HTTP as described by the connector. */
export async function askHttp(
  kind: SourceKind,
  { timeoutSeconds, by }: PersonalConnector,
  way: HttpWay,
  { secret, allow, who }: Asking,
): Promise<Asked> {
  const ask = openRequester({ timeoutSeconds, authentication: way.authentication }, secret, allow)
  const listNames = Object.keys(shapes[kind].lists).filter((name) => way.lists[name])
  const [main, ...more] = await Promise.all([
    read(ask, way, who),
    ...listNames.map(async (name) => {
      const own = way.lists[name]?.ask
      return own ? read(ask, own, who) : undefined
    }),
  ])
  if (main === undefined) return undefined
  const problems: Problem[] = []
  const textOf = (item: unknown, mapped: Mapped | undefined, place: string, field: string) => {
    const found: { at: string; field: string; text: string }[] = []
    const text = readerOf(item, place, '', found).text(mapped, field)
    problems.push(...found.map(({ at, text }) => ({ field: at, text })))
    return text
  }
  // Unmapped data is left out; an answer about nobody or about somebody else is refused as a whole.
  const checkOwner = (item: unknown, mapped: Mapped) => {
    if (kind !== 'scan') isAbout(textOf(item, mapped, '', 'owner'), who, by)
  }
  checkOwner(main, way.owner)
  const lists: Raw['lists'] = {}
  for (const [index, name] of listNames.entries()) {
    const { ask: own, owner, items: at, fields } = way.lists[name] as HttpWay['lists'][string]
    const document = own ? more[index] : main
    const items = document === undefined ? [] : (valueAt(document, at) ?? [])
    if (!Array.isArray(items)) {
      problems.push({ field: at || '/', text: `holds no array for ${name}` })
      continue
    }
    if (own && !owner && document !== undefined) checkOwner(document, way.owner)
    if (owner) for (const item of items) checkOwner(item, owner)
    lists[name] = items.map(
      (item, place) => (field) => textOf(item, fields[field], `${at}/${place}`, field),
    )
  }
  return {
    raw: { text: (field) => textOf(main, way.fields[field], '', field), lists },
    problems,
  }
}

/** @returns undefined if the system does not know the member */
async function read(
  ask: Requester,
  { address, query, headers }: Pick<HttpWay, 'address' | 'query' | 'headers'>,
  who: object,
): Promise<unknown> {
  const url = new URL(fillIn(address, who, encodeURIComponent))
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, fillIn(value, who))
  const { status, bytes } = await ask(url.href, { headers: lowerCase(headers), maxBytes })
  if (status === 404 || status === 204) return undefined
  if (status !== 200) throw new SourceError(`it answers with status ${status}`)
  const answer = parseJson(bytes)
  if (answer === undefined) throw new SourceError('its answer is not JSON')
  return answer
}
