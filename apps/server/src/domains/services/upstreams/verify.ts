import { endpoints } from '@atrium/contract'
import type { Endpoint, EndpointTable } from '@atrium/contract/define'
import { baseOf, type UpstreamName } from '@atrium/contract/services/upstreams'
import {
  type Call,
  type CallResult,
  type Check,
  callUpstream,
  dataOf,
  type Finding,
  type Inputs,
  isKey,
  type Note,
  requiredInputs,
  type Schema,
  schemaIssue,
  type VerifySettings,
} from './call-upstream.ts'
import { checkPaging } from './check-paging.ts'
import { readEnvelope } from './envelope.ts'

export type Verification = {
  findings: Finding[]
  /** calls that could not be made, with the reason */
  notAsked: { call: string; because: string }[]
}
/** Calls every read endpoint of a family, with valid and invalid input, and reports deviations from the contract. */
export async function verifyBase(
  upstream: UpstreamName,
  settings: VerifySettings,
): Promise<Verification> {
  const findings: Finding[] = []
  const notAsked: Verification['notAsked'] = []
  const seen = new Map<Call, unknown>()
  for (const call of readingCalls(upstream)) {
    const name = `${call.endpoint.method} ${call.endpoint.path}`
    const note = (check: Check, issue: string | undefined, success: string) =>
      void findings.push({ call: name, check, ok: issue === undefined, said: issue ?? success })
    if (call.endpoint.access === 'member' && !settings.token) {
      await checkVisitor(upstream, settings, call, {}, note)
      notAsked.push({ call: name, because: 'it needs a member’s token, but none was given' })
      continue
    }
    const inputs = inputsFor(call, seen)
    if ('missing' in inputs) {
      notAsked.push({
        call: name,
        because: `no ${inputs.missing} was found in the earlier answers`,
      })
      continue
    }
    const values = await firstWithAnswer(upstream, settings, call.endpoint, inputs.choices)
    if (!values) {
      notAsked.push({
        call: name,
        because: `none of the ${inputs.choices.length} items found earlier has one`,
      })
      continue
    }
    const data = await checkAnswer(upstream, settings, call, values, note)
    if (data !== undefined) seen.set(call, data)
    await checkVisitor(upstream, settings, call, values, note)
    await checkUnknownKey(upstream, settings, call, values, note)
    if (data !== undefined) await checkPaging(upstream, settings, call, values, data, note)
  }
  return { findings, notAsked }
}

/** Read endpoints, those without inputs first: later ones use their answers as input. */
const readingCalls = (upstream: UpstreamName): Call[] =>
  Object.entries<EndpointTable>(endpoints)
    .flatMap(([area, table]) => Object.values(table).map((endpoint) => ({ area, endpoint })))
    .filter(({ endpoint }) => endpoint.method === 'GET' && baseOf(endpoint) === upstream)
    // Excludes the specification's GET that changes something.
    .filter(({ endpoint }) => (endpoint.reply as Schema).type !== 'null')
    .toSorted((a, b) => requiredInputs(a.endpoint).length - requiredInputs(b.endpoint).length)

/**
 * Some items lack the requested part (e.g. a guide) and answer with a contract error: returns the first that has it.
 */
async function firstWithAnswer(
  upstream: UpstreamName,
  settings: VerifySettings,
  endpoint: Endpoint,
  choices: readonly Inputs[],
): Promise<Inputs | undefined> {
  const none = endpoint.errors?.find((name) => name.includes('.no_'))
  if (!none) return choices[0]
  for (const inputs of choices) {
    const result = await callUpstream(upstream, settings, endpoint, inputs, {
      token: settings.token,
    })
    if (errorIssue(result, 404, none)) return inputs
  }
  return undefined
}

async function checkAnswer(
  upstream: UpstreamName,
  settings: VerifySettings,
  { endpoint }: Call,
  inputs: Inputs,
  note: Note,
) {
  const { token, slowest = 2000 } = settings
  let result = await callUpstream(upstream, settings, endpoint, inputs, { token })
  // Retried once, as the first call may include a cold start.
  if (!('issue' in result) && result.milliseconds > slowest)
    result = await callUpstream(upstream, settings, endpoint, inputs, { token })
  // The token's owner may lack the required permission.
  if (
    endpoint.errors?.includes('session.forbidden') &&
    !('issue' in result) &&
    result.status === 403
  ) {
    note(
      'answer',
      errorIssue(result, 403, 'session.forbidden'),
      'refuses a member without the right',
    )
    return undefined
  }
  const read = dataOf(result)
  if ('issue' in read) {
    note('answer', read.issue, '')
    return undefined
  }
  note('answer', undefined, 'answers in the envelope')
  note('shape', schemaIssue(endpoint, read.data), 'data has the shape of the contract')
  if ('milliseconds' in result) {
    const duration = `${Math.round(result.milliseconds)} ms`
    const slowIssue = `takes ${duration}; at most ${slowest} ms are allowed`
    note('time', result.milliseconds > slowest ? slowIssue : undefined, duration)
  }
  return read.data
}

/** Checks calls without a token and with invalid tokens. */
async function checkVisitor(
  upstream: UpstreamName,
  settings: VerifySettings,
  { endpoint }: Call,
  inputs: Inputs,
  note: Note,
) {
  const result = await callUpstream(upstream, settings, endpoint, inputs)
  if (endpoint.access !== 'member') {
    const read = dataOf(result)
    // A guest may not see the item whose id was found with the member's token.
    const isHidden = !('issue' in result) && result.status === 404 && Object.keys(inputs).length > 0
    const issue = 'issue' in read ? read.issue : schemaIssue(endpoint, read.data)
    note('visitor', isHidden ? errorIssue(result, 404) : issue, 'visitors get an answer')
    return
  }
  note('visitor', errorIssue(result, 401), 'a call without a token is refused')
  const invalidTokens = {
    'an invalid token': 'no-token',
    'another system’s token': settings.foreignToken,
  }
  for (const [what, token] of Object.entries(invalidTokens)) {
    if (!token) continue
    const answer = await callUpstream(upstream, settings, endpoint, inputs, { token })
    const issue = errorIssue(answer, 401)
    note('token', issue && `${what}: ${issue}`, `${what} is refused`)
  }
}

/** The issue with a refusal; undefined if it is as expected. */
function errorIssue(result: CallResult, status: number, error?: string) {
  if ('issue' in result) return result.issue
  if (result.status !== status) return `answers with status ${result.status} instead of ${status}`
  const read = readEnvelope({ ...result, status: status === 401 ? 403 : status })
  if ('issue' in read) return read.issue
  if ('data' in read) return 'answers with data instead of an error'
  const { code, data, error: name } = JSON.parse(result.bytes.toString('utf8'))
  if (code !== status) return `has the code ${code} instead of ${status}`
  if (typeof name !== 'string') return 'has no name in error'
  if (error && name !== error) return `names the error ${name} instead of ${error}`
  if (data !== null) return 'has data in addition to an error'
  return read.refusal.message ? undefined : 'has no message'
}

async function checkUnknownKey(
  upstream: UpstreamName,
  settings: VerifySettings,
  { endpoint }: Call,
  inputs: Inputs,
  note: Note,
) {
  const error = endpoint.errors?.find((name) => name.endsWith('.not_found'))
  const key = keysOf(endpoint)[0]
  if (!error || !key) return
  const unknown = { ...inputs, [key]: '999999999999999999' }
  const { token } = settings
  const inChinese = await callUpstream(upstream, settings, endpoint, unknown, { token })
  const issue = errorIssue(inChinese, 404, error)
  note('unknown key', issue, `an unknown ${key} is refused`)
  if (issue) return
  const inEnglish = await callUpstream(upstream, settings, endpoint, unknown, {
    token,
    language: 'en',
  })
  const [chinese, english] = [messageOf(inChinese), messageOf(inEnglish)]
  const han = /\p{Script=Han}/u
  const languageIssue = !han.test(chinese)
    ? `asked in Chinese, the message is “${chinese}”`
    : !english || han.test(english)
      ? `asked in English, the message is “${english}”`
      : undefined
  note('language', languageIssue, 'messages are in the requested language')
}

function messageOf(result: CallResult) {
  if ('issue' in result) return ''
  const read = readEnvelope(result)
  return 'refusal' in read ? read.refusal.message : ''
}

const keysOf = ({ params, query }: Endpoint) =>
  [params, query].flatMap((schema) =>
    Object.entries((schema as Schema | undefined)?.properties ?? {})
      .filter(([, field]) => isKey(field))
      .map(([name]) => name),
  )

/** Input values for a call: ids from earlier answers, dates from the calendar; several choices. */
function inputsFor(
  { area, endpoint }: Call,
  seen: ReadonlyMap<Call, unknown>,
): { choices: Inputs[] } | { missing: string } {
  let choices: Inputs[] = [{}]
  for (const name of requiredInputs(endpoint)) {
    const sample = sampleOf(name)
    const values = sample === undefined ? findKeys(area, endpoint, name, seen) : [sample]
    if (values.length === 0) return { missing: name }
    choices = values.map((value) => ({ ...choices[0], [name]: value }))
  }
  return { choices }
}

function sampleOf(name: string) {
  const day = (ahead: number) =>
    new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10)
  const samples: Inputs = { from: day(-7), to: day(30), keyWords: 'a', name: 'a', people: 'a' }
  return samples[name]
}

const maxChoices = 20

/**
 * Finds ids: from the list this path extends, else from one whose items resemble the reply, else from the same area,
 * else from a path with the same prefix.
 */
function findKeys(
  area: string,
  { path, reply }: Endpoint,
  name: string,
  seen: ReadonlyMap<Call, unknown>,
): string[] {
  const collection = path.slice(0, path.indexOf('{'))
  const candidates = [...seen].flatMap(([call, data]) => {
    const { endpoint } = call
    const rank = path.startsWith(`${endpoint.path}/`)
      ? 0
      : looksLike(itemOf(endpoint.reply), reply)
        ? 1
        : call.area === area
          ? 2
          : endpoint.path.startsWith(collection)
            ? 3
            : 4
    return valuesIn(data, name).map((value) => ({ rank, value }))
  })
  const nearest = candidates.filter(({ rank }) => rank < 4).toSorted((a, b) => a.rank - b.rank)
  return [...new Set(nearest.map(({ value }) => value))].slice(0, maxChoices)
}

const itemOf = (reply: Schema): Schema => reply.items ?? reply.properties?.list?.items ?? reply
const looksLike = (item: Schema, reply: Schema) => {
  const names = Object.keys(item.properties ?? {})
  return names.length > 0 && names.every((name) => reply.properties && name in reply.properties)
}

function valuesIn(data: unknown, name: string): string[] {
  if (typeof data !== 'object' || data === null) return []
  const value = Array.isArray(data) ? undefined : (data as Record<string, unknown>)[name]
  const direct = typeof value === 'string' && value !== '' ? [value] : []
  return [...direct, ...Object.values(data).flatMap((part) => valuesIn(part, name))]
}
