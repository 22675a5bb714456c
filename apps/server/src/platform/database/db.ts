import { AsyncLocalStorage } from 'node:async_hooks'
import { type CompiledQuery, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import type { DB } from './db-schema.gen.ts'

/** The database, or a transaction in it: queries take it as their first argument and cannot tell which. */
export type Db = Kysely<DB> | Transaction<DB>
export type Database = Kysely<DB>

/**
 * The clients of one pool, which send a statement by a name of its own, so that PostgreSQL parses and plans it once a
 * connection (1.5 to 1.9 times faster on key reads). Texts with a number of parameters that varies would fill the server's
 * memory: use `= any($1)`.
 */
function namingClient() {
  const names = new Map<string, string>()
  function nameOf(text: string) {
    let name = names.get(text)
    if (!name && names.size < 1000) {
      name = `s${names.size}`
      names.set(text, name)
    }
    return name
  }
  return class extends pg.Client {
    override query(...args: unknown[]): never {
      const [text, values, ...rest] = args
      const send = super.query as (...args: unknown[]) => never
      if (typeof text === 'string' && Array.isArray(values) && values.length > 0) {
        const name = nameOf(text)
        if (name) return send.call(this, { name, text, values }, ...rest)
      }
      return send.call(this, ...args)
    }
  }
}

/** `2026-11-21 03:52:38.123456+00` → `2026-11-21T03:52:38.123Z`; connections run in UTC. */
export function isoTime(text: string) {
  const fraction = text.slice(19, -3)
  const milliseconds = fraction === '' ? '000' : fraction.slice(1, 4).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`
}
const localTime = (text: string) => text.replace(' ', 'T').slice(0, 19)
const readTexts = pg.types.getTypeParser(1009 as never) as (text: string) => string[]
const parsers: Record<number, (text: string) => unknown> = {
  1184: isoTime, // timestamptz
  1114: localTime, // timestamp: wall-clock time, to the second
  1115: (text) => readTexts(text).map(localTime), // timestamp[]
  1082: (text) => text, // date: YYYY-MM-DD
  // int8 stays text, as pg reads it: our keys are opaque strings, and counts are cast to integer in the query.
}
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers[oid]) || pg.types.getTypeParser(oid, format),
}

export type Pool = pg.Pool

export function openPool(url: string, max: number): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: namingClient() as unknown as new () => pg.Client,
    types: types as never,
    connectionTimeoutMillis: 5000,
    options: '-c timezone=UTC -c statement_timeout=15000',
    application_name: 'atrium',
  } as pg.PoolConfig)
  // A connection that breaks is replaced by the pool, and its query fails; unheard, the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

const pools = new WeakMap<object, Pool>()

/**
 * Written at the end of every transaction that is opened inside `run`, before it is committed: what is kept of an action
 * stands or falls with what the action changed. What it answers is called once the commit is through.
 */
export const beforeCommit = new AsyncLocalStorage<(db: Db) => Promise<() => void>>()

/** Kysely, whose transactions know of `beforeCommit`. */
export class OwnKysely extends Kysely<DB> {
  override transaction() {
    const builder = super.transaction()
    const write = beforeCommit.getStore()
    if (write) {
      const execute = builder.execute.bind(builder)
      builder.execute = async (work) => {
        let committed = () => {}
        const result = await execute(async (db) => {
          const result = await work(db)
          committed = await write(db)
          return result
        })
        committed()
        return result
      }
    }
    return builder
  }
}

export function openDatabase(pool: Pool): Database {
  const db = new OwnKysely({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/**
 * A statement that is written once and then only filled in: writing a long one takes Kysely as long as PostgreSQL takes to
 * answer it. For what every start of the portal asks; elsewhere a plain query is easier to read.
 * @param write gets stand-ins: it may ask whether a value is there, never which one it is
 * @param types SQL types of all values, for a statement of many tables. PostgreSQL plans such a statement anew each time as long
 * as a plan for these values promises to cost a little less than one for any, however long the planning takes. Values that
 * stand in subqueries are not looked at, so that both plans are the same and the first is kept.
 */
export function prepared<Values extends Record<string, unknown>, Row>(
  write: (db: Db, values: Values) => { compile: (db: Db) => CompiledQuery<Row> },
  types?: { [Name in keyof Values]-?: string },
): (db: Db, values: Values) => Promise<Row[]> {
  const written = new Map<string, CompiledQuery<Row>>()
  return async (db, values) => {
    const present = Object.keys(values).filter((name) => values[name] !== undefined)
    const shape = present.join()
    let query = written.get(shape)
    if (!query) {
      const standIns = Object.fromEntries(
        present.map((name) => {
          const standIn = new StandIn(name)
          return [name, types ? sql`(select ${standIn}::${sql.raw(types[name] ?? '')})` : standIn]
        }),
      )
      query = write(db, standIns as Values).compile(db)
      written.set(shape, query)
    }
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof StandIn ? values[parameter.name] : parameter,
    )
    // Outside a transaction the pool is asked itself: Kysely's way to it costs as much as reading a page of rows.
    const pool = pools.get(db)
    if (pool) return (await pool.query(query.sql, parameters)).rows as Row[]
    return (await db.executeQuery<Row>({ ...query, parameters } as CompiledQuery<Row>)).rows
  }
}
class StandIn {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** SQLSTATE of an error from the database, if it is one. Each has a digit in it; EPIPE and EROFS of Node.js have none. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}
