import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { loggedError, openLog } from '#platform/log.ts'
import { testApp } from '../../../test/test-app.ts'
import { logOutage, outageOf } from './outage.ts'

const coded = (code: string, more: object = {}) =>
  Object.assign(new Error(`failed with ${code}`), { code, ...more })

test.each([
  // connection exceptions
  ...['08000', '08001', '08003', '08004', '08006', '08007', '08P01'].map((code) => [code, 'away']),
  // insufficient resources
  ...['53000', '53200', '53300', '53400'].map((code) => [code, 'away']),
  ['53100', 'full'],
  // shutdown, crash, starting up, database dropped, idle timeout
  ...['57P01', '57P02', '57P03', '57P04', '57P05', '25P03'].map((code) => [code, 'away']),
  // system failures
  ...['58000', '58030', '58P01'].map((code) => [code, 'away']),
  // password changed or database renamed while the server runs
  ...['28000', '28P01', '3D000'].map((code) => [code, 'away']),
  // a replica that has not been promoted
  ['25006', 'read-only'],
  // Node.js
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'].map((code) => [
    code,
    'away',
  ]),
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'].map((code) => [code, 'away']),
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'].map((code) => [code, 'away']),
  ...['ENOSPC', 'EDQUOT'].map((code) => [code, 'full']),
  ['EROFS', 'read-only'],
  // not an outage, or a mistake of the caller
  ...['23505', '22P02', '42P01', '40001', '57014', '25P02', 'XX000', 'P0001'].map((code) => [
    code,
    undefined,
  ]),
  ...['ENOENT', 'EACCES', 'E2BIG', 'ERR_INVALID_ARG_TYPE'].map((code) => [code, undefined]),
])('the error code %s is classified as %s', (code, outage) => {
  expect(outageOf(coded(code as string))).toBe(outage)
})

test.each([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
])('a driver error without a code is an outage: %s', (message) => {
  expect(outageOf(new Error(message))).toBe('away')
})

test('ENOENT is an outage when connecting to a socket, not when opening a file', () => {
  expect(outageOf(coded('ENOENT', { syscall: 'connect' }))).toBe('away')
  expect(outageOf(coded('ENOENT', { syscall: 'open' }))).toBeUndefined()
  expect(outageOf(new TypeError('x is not a function'))).toBeUndefined()
  expect(outageOf(undefined)).toBeUndefined()
})

test('an outage hit by many requests is logged once immediately and once a second later', async () => {
  const lines: { outage: string; times: number }[] = []
  const second = Promise.withResolvers<void>()
  const log = (facts: never) => {
    lines.push(facts)
    if (lines.length === 2) second.resolve()
  }
  for (let time = 0; time < 1000; time++)
    logOutage({ warn: log, error: log } as never, 'read-only', coded('25006'))
  expect(lines).toHaveLength(1)
  await second.promise
  expect(lines.map(({ times }) => times)).toEqual([1, 999])
})

test('database errors are logged without the contents of rows', async () => {
  const { platform } = await testApp()
  const stream = new PassThrough()
  const log = openLog('info', stream)
  const secret = 'Confidential-4711'
  const failing = [
    sql`insert into topic_version (topic, version) values (${secret}, 1), (${secret}, 1)`,
    sql`insert into topic_version (topic, version) values (${secret}, null)`,
    sql`select ${secret}::integer`,
    sql`do $$ begin perform ${sql.raw(`'${secret}'`)}::date; end $$`,
  ]
  for (const statement of failing) {
    const error = await statement.execute(platform.db).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(Error)
    log.error({ err: error }, 'request failed')
    log.error({ err: new Error('around it', { cause: error }) }, 'request failed')
  }
  stream.end()
  const written = await text(stream)
  expect(written).toContain('topic_version_pkey')
  expect(written).not.toContain(secret)
  expect(written).not.toMatch(/"(detail|where|parameters|internalQuery|query)":/)
  expect(loggedError('plain')).toBe('plain')
})
