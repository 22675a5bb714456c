import { isIP } from 'node:net'
import { PersonalConnector, type SourceKind } from '@atrium/contract/member/personal-source'
import Value from 'typebox/value'
import { splitDeclared } from '#platform/http/declared.ts'
import { fail, type IssueKind, invalidFields, Refusal } from '#platform/http/errors.ts'
import { shapes } from './shapes.ts'

type Issues = Record<string, IssueKind>

/** Headers that we set ourselves, or that would put a secret in a readable field. */
const ownHeaders =
  /^(authorization|proxy-.*|cookie|host|connection|content-length|content-type|transfer-encoding|accept-encoding|expect|te|trailer|upgrade|webhook-.*)$/i
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const actions: Partial<Record<SourceKind, readonly string[]>> = {
  ecard: ['freeze', 'unfreeze'],
  books: ['renew'],
}

/** Checks beyond the schema, by field path. */
function connectorIssues(kind: SourceKind, connector: PersonalConnector): Issues {
  const issues: Issues = {}
  const { way, http, sql, imap } = connector
  for (const [name, value] of Object.entries({ http, sql, imap }))
    if (name === way && !value) issues[name] = 'required'
    else if (name !== way && value) issues[name] = 'undeclared'
  if (kind === 'scan' && way !== 'http') issues.way = 'choice'
  if (way === 'imap' && kind !== 'mailbox') issues.way = 'choice'
  if (way === 'http' && http) httpIssues(issues, kind, http)
  if (way === 'sql' && sql) sqlIssues(issues, kind, sql)
  if (
    way === 'imap' &&
    imap &&
    !/\{\/(username|number|email)\}/.test(`${imap.login} ${imap.actAs}`)
  )
    issues['imap.login'] = 'format'
  return issues
}

function httpIssues(
  issues: Issues,
  kind: SourceKind,
  { authentication, address, query, headers, fields, lists, actions: declaredActions }: Http,
) {
  const requireField = (name: 'username' | 'header' | 'tokenAddress' | 'clientId') => {
    if (!authentication[name]) issues[`http.authentication.${name}`] = 'required'
  }
  if (authentication.kind === 'basic') requireField('username')
  if (authentication.kind === 'header') requireField('header')
  if (authentication.kind === 'client-credentials') {
    requireField('tokenAddress')
    requireField('clientId')
  }
  const { header } = authentication
  if (header && (!headerName.test(header) || ownHeaders.test(header)))
    issues['http.authentication.header'] = 'choice'
  checkFields(issues, 'http', kind, fields, lists)
  for (const name of Object.keys(declaredActions ?? {}))
    if (!actions[kind]?.includes(name)) issues[`http.actions.${name}`] = 'choice'
  const requests = [
    ['http', { address, query, headers }],
    ...Object.entries(lists).map(([name, { ask }]) => [`http.lists.${name}.ask`, ask]),
  ] as const
  for (const [prefix, ask] of requests) {
    if (!ask) continue
    const { address, query, headers } = ask as Pick<Http, 'address' | 'query' | 'headers'>
    if (!URL.canParse(address)) issues[`${prefix}.address`] = 'format'
    // Without a placeholder, everybody would get the same answer.
    else if (!/\{\/(username|number|email|code)\}/.test(address + Object.values(query).join(' ')))
      issues[`${prefix}.address`] = 'format'
    for (const [name, value] of Object.entries(headers))
      if (!headerName.test(name) || ownHeaders.test(name))
        issues[`${prefix}.headers.${name}`] = 'choice'
      else if (!/^[\x20-\x7e]*$/.test(value)) issues[`${prefix}.headers.${name}`] = 'format'
  }
}
type Http = NonNullable<PersonalConnector['http']>

function sqlIssues(issues: Issues, kind: SourceKind, { host, view, owner, columns, lists }: Sql) {
  if (host.includes(':') && !isIP(host)) issues['sql.host'] = 'format'
  checkFields(
    issues,
    'sql',
    kind,
    columns,
    Object.fromEntries(
      Object.entries(lists).map(([name, { columns }]) => [name, { fields: columns }]),
    ),
  )
  if (Object.keys(columns).length === 0) return
  if (!view) issues['sql.view'] = 'required'
  if (!owner) issues['sql.owner'] = 'required'
}
type Sql = NonNullable<PersonalConnector['sql']>

/** Every given field exists for the kind, and required ones are present. */
function checkFields(
  issues: Issues,
  transport: string,
  kind: SourceKind,
  fields: object,
  lists: Record<string, { fields: object }>,
) {
  const shape = shapes[kind]
  const part = transport === 'sql' ? 'columns' : 'fields'
  const check = (prefix: string, mapped: object, allowed: (typeof shape)['fields']) => {
    for (const name of Object.keys(mapped))
      if (!Object.hasOwn(allowed, name)) issues[`${prefix}.${name}`] = 'undeclared'
    for (const [name, { required }] of Object.entries(allowed))
      if (required && !Object.hasOwn(mapped, name)) issues[`${prefix}.${name}`] = 'required'
  }
  check(`${transport}.${part}`, fields, shape.fields)
  for (const [name, { fields }] of Object.entries(lists)) {
    const list = shape.lists[name]
    if (list) check(`${transport}.lists.${name}.${part}`, fields, list.fields)
    else issues[`${transport}.lists.${name}`] = 'undeclared'
  }
}

/** @throws request.invalid naming every invalid field */
export function checkConnector(kind: SourceKind, connector: PersonalConnector) {
  const issues = Object.entries(connectorIssues(kind, connector))
  if (issues.length === 0) return
  fail('request.invalid', {
    fields: Object.fromEntries(issues.map(([path, issue]) => [`connector.${path}`, issue])),
  })
}

/** Parses a description file; returns the description, or its issues by field path. */
export function readPersonalConnector(
  kind: SourceKind,
  description: unknown,
): { connector: PersonalConnector } | { issues: Issues } {
  try {
    const { declared, issues: undeclared } = splitDeclared(PersonalConnector as object, description)
    const connector = Value.Default(PersonalConnector, declared) as PersonalConnector
    const faults = invalidFields(
      Value.Errors(PersonalConnector, connector).flatMap(({ keyword, instancePath, params }) =>
        'requiredProperties' in params
          ? (params.requiredProperties as string[]).map((missingProperty) => ({
              keyword,
              instancePath,
              params: { missingProperty },
            }))
          : [{ keyword, instancePath, params: {} }],
      ),
    )
    const issues = { ...undeclared, ...faults }
    if (Object.keys(issues).length > 0) return { issues }
    const furtherIssues = connectorIssues(kind, connector)
    return Object.keys(furtherIssues).length > 0 ? { issues: furtherIssues } : { connector }
  } catch (error) {
    if (error instanceof Refusal) return { issues: error.fields ?? {} }
    throw error
  }
}

/** The hosts that receive the secret, or a token obtained with it. */
export function hostsOf({ http, sql, imap }: PersonalConnector): string[] {
  const addresses = http
    ? [
        http.address,
        http.authentication.tokenAddress,
        ...Object.values(http.lists).map(({ ask }) => ask?.address),
        ...Object.values(http.actions ?? {}).map(({ address }) => address),
      ]
    : []
  return [
    ...addresses.flatMap((address) => (address ? new URL(address).origin : [])),
    ...[sql, imap].flatMap((connection) =>
      connection ? `${connection.host}:${connection.port} ${connection.encryption}` : [],
    ),
  ]
}
