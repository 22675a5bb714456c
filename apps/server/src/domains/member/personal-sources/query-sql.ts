import net from 'node:net'
import type { PersonalConnector, SourceKind, SqlWay } from '@atrium/contract/member/personal-source'
import pg from 'pg'
import { checkedLookup, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { type RawFields, shapes } from './shapes.ts'
import { assertOwner, type RawAnswer, SourceError, type SourceRequest } from './source-request.ts'

type Row = Record<string, string | null>
/** Runs a statement with one parameter. */
type Query = (statement: string, parameter: string) => Promise<Row[]>
/** Maximum characters read per cell; no field is longer, but cells may hold anything. */
const maxCell = 1000

/** Reads views of a database in read-only mode. */
export async function querySql(
  kind: SourceKind,
  { by, timeoutSeconds }: PersonalConnector,
  transport: SqlWay,
  request: SourceRequest,
): Promise<RawAnswer> {
  const identifier = by === 'username' ? request.who.username : request.who.number
  const quote = (name: string) =>
    name
      .split('.')
      .map((part) => (transport.system === 'mysql' ? `\`${part}\`` : `"${part}"`))
      .join('.')
  const text = (name: string) =>
    transport.system === 'mysql'
      ? `left(cast(${quote(name)} as char), ${maxCell})`
      : `left(${quote(name)}::text, ${maxCell})`
  const select = (
    view: string,
    owner: string,
    columns: Record<string, string>,
    limit: number,
    newest?: string,
  ) => {
    const parameter = transport.system === 'mysql' ? '?' : '$1'
    const ownerColumn = transport.system === 'mysql' ? quote(owner) : `${quote(owner)}::text`
    const selected = Object.entries({ ...columns, owner_asked_for: owner })
    return `select ${selected.map(([field, column]) => `${text(column)} as ${quote(field)}`).join(', ')} from ${quote(view)} where ${ownerColumn} = ${parameter}${newest ? ` order by ${quote(newest)} desc` : ''} limit ${limit}`
  }
  // Databases compare more loosely than we do, for example ignoring case or spaces.
  const assertOwnRows = (rows: Row[]) => {
    for (const { owner_asked_for: owner } of rows) assertOwner(owner ?? undefined, request.who, by)
    return rows
  }
  return withDatabase(transport, request, timeoutSeconds, async (query) => {
    const { view, owner } = transport
    const rows =
      view && owner
        ? assertOwnRows(await query(select(view, owner, transport.columns, 2), identifier))
        : []
    if (rows.length > 1) throw new SourceError(`${view} has more than one row for the member`)
    if (view && rows.length === 0) return undefined
    const lists: RawFields['lists'] = {}
    for (const [name, { max, fields }] of Object.entries(shapes[kind].lists)) {
      const list = transport.lists[name]
      if (!list) continue
      const columns = Object.fromEntries(
        Object.entries(list.columns).filter(([field]) => field in fields),
      )
      const statement = select(list.view, list.owner, columns, max + 1, list.newest)
      lists[name] = assertOwnRows(await query(statement, identifier)).map(
        (row) => (field) => row[field] ?? undefined,
      )
    }
    const [row] = rows
    return { raw: { text: (field) => row?.[field] ?? undefined, lists }, problems: [] }
  })
}

/** Runs work on one read-only connection, which is closed when the time is up. */
async function withDatabase<T>(
  transport: SqlWay,
  { secret = '', allow }: SourceRequest,
  seconds: number,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { host, port } = transport
  // The address is checked in the connection's own lookup. Unencrypted passwords are only sent to explicitly allowed
  // networks.
  const lookup = checkedLookup(
    `${host}:${port}`,
    host,
    port,
    readOutboundAllow(allow),
    transport.encryption !== 'none',
  )
  const socket = new net.Socket()
  let close = async () => {}
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new SourceError(`it did not answer within ${seconds} s`)),
      seconds * 1000,
    )
  })
  const openConnection = async (): Promise<Query> => {
    const shared = {
      host,
      port,
      user: transport.username,
      password: secret,
      database: transport.database,
    }
    const ssl = transport.encryption === 'required' && { ...(transport.ca && { ca: transport.ca }) }
    if (transport.system === 'mysql') {
      const { createConnection } = await import('mysql2/promise')
      const connection = await createConnection({
        ...shared,
        stream: () => socket.connect({ host, port, lookup }),
        ...(ssl && { ssl: { ...ssl, rejectUnauthorized: true, verifyIdentity: true } }),
        // The server must not request local files, and only single statements are sent.
        flags: ['-LOCAL_FILES'],
        multipleStatements: false,
        supportBigNumbers: true,
        dateStrings: true,
      })
      connection.on('error', () => {})
      close = async () => connection.destroy()
      // Names of MariaDB and MySQL for the same limit: a query must not run on after the timeout.
      await connection
        .query(`set session max_statement_time = ${seconds}`)
        .catch(() => connection.query(`set session max_execution_time = ${seconds * 1000}`))
      await connection.query('start transaction read only')
      return async (statement, parameter) =>
        (await connection.query(statement, [parameter]))[0] as Row[]
    }
    const client = new pg.Client({
      ...shared,
      ssl,
      stream: () => {
        const connect = socket.connect.bind(socket)
        socket.connect = (() => connect({ host, port, lookup })) as never
        return socket
      },
      options: '-c default_transaction_read_only=on',
      statement_timeout: seconds * 1000,
      application_name: 'atrium-personal',
    })
    client.on('error', () => {})
    await client.connect()
    close = () => client.end()
    return async (statement, parameter) => (await client.query(statement, [parameter])).rows
  }
  try {
    return await Promise.race([openConnection().then(work), timeout])
  } finally {
    clearTimeout(timer)
    await Promise.race([
      close().catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, 200)),
    ])
    socket.destroy()
  }
}
