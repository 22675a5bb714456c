import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type CompiledQuery,
  Kysely,
  PostgresDialect,
  sql,
  type Transaction,
  type TransactionBuilder,
} from 'kysely'
import pg from 'pg'
import type { DB } from './db-schema.gen.ts'

/** The database or a transaction. Queries take it as their first argument and work with either. */
export type Db = Kysely<DB> | Transaction<DB>
export type Database = Kysely<DB>

/**
 * A pg client that sends named prepared statements, so that PostgreSQL parses and plans each once per connection (1.5
 * to 1.9 times faster on reads by key). Statements with a varying number of parameters would exhaust the server's
 * memory; use `= any($1)` instead.
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
  // int8 stays text, the pg default: our ids are opaque strings, and counts are cast to integer in the query.
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
  // The pool replaces a broken connection and its query fails. Without a listener the event would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

const pools = new WeakMap<object, Pool>()

/**
 * Runs at the end of every transaction opened inside `run`, before the commit, so that an audit entry is committed or
 * rolled back together with the change. The returned function is called after the commit.
 */
export const beforeCommit = new AsyncLocalStorage<(db: Db) => Promise<() => void>>()

/** Kysely with transactions that run `beforeCommit`. */
export class OwnKysely extends Kysely<DB> {
  override transaction() {
    const write = beforeCommit.getStore()
    return write ? withWrite(super.transaction(), write) : super.transaction()
  }
}

/** The builder whose transaction runs `write` before its commit, whatever is set on it. */
function withWrite(
  builder: TransactionBuilder<DB>,
  write: (db: Db) => Promise<() => void>,
): TransactionBuilder<DB> {
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
  const { setAccessMode, setIsolationLevel } = builder
  builder.setAccessMode = (mode) => withWrite(setAccessMode.call(builder, mode), write)
  builder.setIsolationLevel = (level) => withWrite(setIsolationLevel.call(builder, level), write)
  return builder
}

export function openDatabase(pool: Pool): Database {
  const db = new OwnKysely({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

/**
 * A statement that is compiled once and then only bound to values: for a long statement, compiling takes Kysely as long
 * as PostgreSQL needs to execute it. For the statements of every portal start; elsewhere a plain query is easier to
 * read.
 * @param write receives placeholders: it may check whether a value is present, but not read it
 * @param types SQL types of all values, for a statement over many tables. PostgreSQL otherwise replans such a statement
 * on every call while a plan for the concrete values looks slightly cheaper than the generic one, however long planning
 * takes. Values in subqueries are invisible to the planner, so both plans are equal and the generic one is kept.
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
    // Outside a transaction, query the pool directly: Kysely's overhead is as high as reading a page of rows.
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

/** The SQLSTATE of a database error, if it is one. Each contains a digit, unlike EPIPE and EROFS of Node.js. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined
}
