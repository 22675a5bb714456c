import { type Mapped, TaskConnector } from '@atrium/contract/work/task-connector'
import Value from 'typebox/value'
import { splitDeclared } from '#platform/http/declared.ts'
import { type IssueKind, invalidFields, Refusal } from '#platform/http/errors.ts'
import { pointersIn } from './pointer.ts'

/** Issues of a description, keyed by JSON Pointer. */
export type ConnectorIssues = Record<string, IssueKind>

/** Headers that we set ourselves, or that would put a secret in a readable field. */
const ownHeaders =
  /^(authorization|proxy-.*|cookie|host|connection|content-length|content-type|transfer-encoding|accept-encoding|expect|te|trailer|upgrade|if-none-match|idempotency-key)$/i
/** A token of HTTP (RFC 9110 5.6.2). */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** The origin of a link must be literal: placeholders may not decide where it leads. */
const literalOrigin = /^(\/[^/\\{]|https?:\/\/[^/?#{}@\s]+([/?#]|$))/

/** Checks beyond the schema. */
export function connectorIssues(connector: TaskConnector): ConnectorIssues {
  const issues: ConnectorIssues = {}
  const { list, authentication, paging, task, action } = connector
  const requireField = (path: string, value: unknown) => {
    if (value === undefined || value === '') issues[path] ??= 'required'
  }
  if (authentication.kind === 'basic')
    requireField('/authentication/username', authentication.username)
  if (authentication.username?.includes(':')) issues['/authentication/username'] = 'format'
  if (authentication.kind === 'header')
    requireField('/authentication/header', authentication.header)
  if (authentication.kind === 'client-credentials') {
    requireField('/authentication/tokenAddress', authentication.tokenAddress)
    requireField('/authentication/clientId', authentication.clientId)
  }
  const { header } = authentication
  if (header && (!headerName.test(header) || ownHeaders.test(header)))
    issues['/authentication/header'] = 'choice'
  if (['page', 'offset', 'cursor'].includes(paging.kind))
    requireField('/paging/parameter', paging.parameter)
  if (paging.kind === 'cursor') requireField('/paging/next', paging.next)
  if (paging.sizeParameter) requireField('/paging/size', paging.size)
  for (const [path, headers] of [
    ['/list/headers', list.headers],
    ['/action/headers', action?.headers ?? {}],
  ] as const)
    for (const [name, value] of Object.entries(headers)) {
      if (!headerName.test(name) || ownHeaders.test(name))
        issues[`${path}/${token(name)}`] = 'choice'
      else if (!/^[\x20-\x7e]*$/.test(value)) issues[`${path}/${token(name)}`] = 'format'
    }
  for (const [path, address] of [
    ['/list/address', list.address],
    ['/authentication/tokenAddress', authentication.tokenAddress],
    ['/action/address', action?.address],
  ] as const)
    if (address !== undefined && !URL.canParse(address)) issues[path] = 'format'

  for (const [path, mapped] of mappedIn(task)) mappedIssues(issues, path, mapped)
  if (typeof task.url === 'object' && task.url.text && !literalOrigin.test(task.url.text))
    issues['/task/url/text'] = 'https'
  const { username, number, person } = task.assignees
  if ((username ?? number ?? person) === undefined) issues['/task/assignees'] = 'required'
  if (task.actions !== undefined) requireField('/action', action)
  if (action) actionIssues(issues, action)
  return issues
}

const token = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** Every mapping of a description with its JSON Pointer. */
function* mappedIn(task: TaskConnector['task']): Generator<[string, Mapped]> {
  const { applicant, assignees, form, ...fields } = task
  const { each: _, ...people } = assignees
  for (const [path, group] of [
    ['/task', fields],
    ['/task/applicant', applicant],
    ['/task/assignees', people],
  ] as const)
    for (const [name, mapped] of Object.entries(group)) yield [`${path}/${name}`, mapped]
  for (const [index, { value }] of form.entries()) yield [`/task/form/${index}/value`, value]
}

function mappedIssues(issues: ConnectorIssues, path: string, mapped: Mapped) {
  if (typeof mapped === 'string') return
  const { at: pointer, text, values } = mapped
  if (pointer === undefined && text === undefined) issues[path] = 'required'
  if (pointer !== undefined && text !== undefined) issues[`${path}/text`] = 'undeclared'
  if (text !== undefined && !hasGoodPointers(text)) issues[`${path}/text`] = 'format'
  if (values && Object.keys(values).length > 200) issues[`${path}/values`] = 'length'
}

const hasGoodPointers = (text: string) => pointersIn(text).every((one) => !/~(?![01])/.test(one))

function actionIssues(
  issues: ConnectorIssues,
  { address, body, format, offers }: NonNullable<TaskConnector['action']>,
) {
  if (!hasGoodPointers(address)) issues['/action/address'] = 'format'
  if (format === 'form' && body !== undefined && !isFlat(body)) issues['/action/body'] = 'type'
  const codes = offers.map(({ code }) => code)
  for (const [place, { code, fields }] of offers.entries()) {
    const path = `/action/offers/${place}`
    // `read` is reserved for copies.
    if (codes.indexOf(code) < place || code === 'read') issues[`${path}/code`] = 'twice'
    for (const [index, { name, kind, choices }] of fields.entries()) {
      if (fields.findIndex((one) => one.name === name) < index)
        issues[`${path}/fields/${index}/name`] = 'twice'
      if (kind === 'choice' && choices.length === 0)
        issues[`${path}/fields/${index}/choices`] = 'required'
    }
  }
}

const isFlat = (body: unknown) =>
  typeof body === 'object' &&
  body !== null &&
  !Array.isArray(body) &&
  Object.values(body).every((value) => typeof value === 'string')

/** Parses a description file; returns the description or its issues. */
export function readConnectorFile(
  input: unknown,
): { connector: TaskConnector } | { issues: ConnectorIssues } {
  try {
    const { declared, issues: undeclared } = splitDeclared(TaskConnector as object, input)
    const connector = Value.Default(TaskConnector, declared)
    const faults = invalidFields(Value.Errors(TaskConnector, connector).flatMap(eachMissing))
    const issues = toPointers({ ...undeclared, ...faults })
    if (Object.keys(issues).length > 0) return { issues }
    const furtherIssues = connectorIssues(connector as TaskConnector)
    return Object.keys(furtherIssues).length > 0
      ? { issues: furtherIssues }
      : { connector: connector as TaskConnector }
  } catch (error) {
    if (error instanceof Refusal) return { issues: toPointers(error.fields ?? {}) }
    throw error
  }
}

type Issue = { keyword: string; instancePath: string; params: object }
/** The validator reports missing fields together; split them into one issue each. */
const eachMissing = ({ keyword, instancePath, params }: Issue) =>
  'requiredProperties' in params
    ? (params.requiredProperties as string[]).map((missingProperty) => ({
        keyword,
        instancePath,
        params: { missingProperty },
      }))
    : [{ keyword, instancePath, params: {} }]

const toPointers = (fields: Record<string, IssueKind>): ConnectorIssues =>
  Object.fromEntries(
    Object.entries(fields).map(([field, kind]) => [
      field === 'body' ? '' : `/${field.replaceAll('.', '/')}`,
      kind,
    ]),
  )

/** The origins that receive the secret, or a token obtained with it. */
export const originsOf = ({ list, authentication, action }: TaskConnector): string[] =>
  [list.address, action?.address, authentication.tokenAddress].flatMap((address) =>
    address === undefined ? [] : new URL(address).origin,
  )
