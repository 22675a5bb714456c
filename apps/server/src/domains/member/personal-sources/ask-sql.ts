import net from 'node:net'
import type { PersonalConnector, SourceKind, SqlWay } from '@atrium/contract/member/personal-source'
import { createConnection } from 'mysql2/promise'
import pg from 'pg'
import { lookupOutside, readOutboundAllow } from '#platform/outbound/outbound.ts'
import { type Asked, type Asking, isAbout, SourceError } from './asked.ts'
import { type Raw, shapes } from './shapes.ts'

type Row = Record<string, string | null>
/** Runs a statement with one parameter. */
type Query = (statement: string, parameter: string) => Promise<Row[]>
/** Maximum characters read per cell; no field is longer, but cells may hold anything. */
const maxCell = 1000

/** Reads views of a database in read-only mode. */
export async function askSql(
  kind: SourceKind,
  { by, timeoutSeconds }: PersonalConnector,
  way: SqlWay,
  asking: Asking,
): Promise<Asked> {
  const asked = by === 'username' ? asking.who.username : asking.who.number
  const quote = (name: string) =>
    name
      .split('.')
      .map((part) => (way.system === 'mysql' ? `\`${part}\`` : `"${part}"`))
      .join('.')
  const text = (name: string) =>
    way.system === 'mysql'
      ? `left(cast(${quote(name)} as char), ${maxCell})`
      : `left(${quote(name)}::text, ${maxCell})`
  const select = (
    view: string,
    owner: string,
    columns: Record<string, string>,
    limit: number,
    newest?: string,
  ) => {
    const parameter = way.system === 'mysql' ? '?' : '$1'
    const compared = way.system === 'mysql' ? quote(owner) : `${quote(owner)}::text`
    const wanted = Object.entries({ ...columns, owner_asked_for: owner })
    return `select ${wanted.map(([field, column]) => `${text(column)} as ${quote(field)}`).join(', ')} from ${quote(view)} where ${compared} = ${parameter}${newest ? ` order by ${quote(newest)} desc` : ''} limit ${limit}`
  }
  // Databases compare more loosely than we do, for example ignoring case or spaces.
  const own = (rows: Row[]) => {
    for (const { owner_asked_for: owner } of rows) isAbout(owner ?? undefined, asking.who, by)
    return rows
  }
  return withDatabase(way, asking, timeoutSeconds, async (query) => {
    const { view, owner } = way
    const rows = view && owner ? own(await query(select(view, owner, way.columns, 2), asked)) : []
    if (rows.length > 1) throw new SourceError(`${view} holds more than one row of the member`)
    if (view && rows.length === 0) return undefined
    const lists: Raw['lists'] = {}
    for (const [name, { max, fields }] of Object.entries(shapes[kind].lists)) {
      const list = way.lists[name]
      if (!list) continue
      const columns = Object.fromEntries(
        Object.entries(list.columns).filter(([field]) => field in fields),
      )
      const statement = select(list.view, list.owner, columns, max + 1, list.newest)
      lists[name] = own(await query(statement, asked)).map(
        (row) => (field) => row[field] ?? undefined,
      )
    }
    const [row] = rows
    return { raw: { text: (field) => row?.[field] ?? undefined, lists }, problems: [] }
  })
}

/** Runs work on one read-only connection, which is closed when the time is up. */
async function withDatabase<T>(
  way: SqlWay,
  { secret = '', allow }: Asking,
  seconds: number,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  const { host, port } = way
  // The address is checked in the connection's own lookup. Unencrypted passwords are only sent to explicitly allowed
  // networks.
  const lookup = lookupOutside(
    `${host}:${port}`,
    host,
    port,
    readOutboundAllow(allow),
    way.encryption !== 'none',
  )
  const socket = new net.Socket()
  let close = async () => {}
  let late: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    late = setTimeout(
      () => reject(new SourceError(`it did not answer within ${seconds} s`)),
      seconds * 1000,
    )
  })
  const open = async (): Promise<Query> => {
    const shared = { host, port, user: way.username, password: secret, database: way.database }
    const ssl = way.encryption === 'required' && { ...(way.ca && { ca: way.ca }) }
    if (way.system === 'mysql') {
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
    return await Promise.race([open().then(work), end])
  } finally {
    clearTimeout(late)
    await Promise.race([close().catch(() => {}), new Promise((settle) => setTimeout(settle, 200))])
    socket.destroy()
  }
}
