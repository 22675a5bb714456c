import { type ChildProcess, spawn } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { inject, test } from 'vitest'
import { findRunningPostgres } from '#platform/database/embedded-postgres.ts'
import { createDatabase, dropDatabase } from '../src/database.ts'

const main = path.join(import.meta.dirname, '../src/main.ts')
/** Cleanup steps run after each test, in reverse order. */
export const clean: (() => unknown)[] = []
/** Called by after-file.ts, because test files share this module. */
export async function cleanUp() {
  for (const step of clean.splice(0).reverse()) await step()
}

/** For tests of the embedded database; skipped when the run uses another one. */
export const testEmbedded = test.skipIf(process.env.ATRIUM_TEST_DATABASE_URL)

export type Running = { child: ChildProcess; output: () => string; exited: Promise<number | null> }

/**
 * Starts the server as a separate process.
 * @param through a command with arguments that runs it
 */
export function run(variables: Record<string, string>, through: string[] = []): Running {
  const [program = '', ...rest] = [...through, process.execPath, main]
  const child = spawn(program, rest, {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      PORT: '0',
      ATRIUM_JOBS: 'off',
      ATRIUM_DRAIN_S: '0',
      HOST: '127.0.0.1',
      ...variables,
    },
  })
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)),
  )
  clean.push(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  return { child, output: () => output, exited }
}

export function folder() {
  const made = mkdtempSync(path.join(os.tmpdir(), 'atrium-main-'))
  clean.push(() => rmSync(made, { recursive: true, force: true }))
  return made
}

export async function until<T>(
  read: () => Promise<T | undefined | false> | T | undefined | false,
  seconds = 120,
): Promise<T> {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await read()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`it did not happen in time: ${read}`)
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}
export const portOf = (running: Running) =>
  until(() => /listening at http:\/\/127\.0\.0\.1:(\d+)/.exec(running.output())?.[1])
export const ready = (running: Running) =>
  until(() => {
    if (running.child.exitCode !== null) throw new Error(`it ended: ${running.output()}`)
    return running.output().includes('Atrium is ready')
  }, 120).catch((error) => {
    throw new Error(`${error.message}\n${running.output()}`)
  })
export const statusOf = (port: string, url: string) =>
  fetch(`http://127.0.0.1:${port}${url}`).then(
    (response) => response.status,
    () => 0,
  )

/** A copy of the filled template on the test server. */
export async function database() {
  const server = inject('server')
  const name = `${inject('template')}_main_${process.hrtime.bigint().toString(36)}`
  const admin = server.replace('{database}', 'postgres')
  await createDatabase(admin, name, inject('template'))
  clean.push(() => dropDatabase(admin, name))
  return server.replace('{database}', name)
}
export const demo = async (variables: Record<string, string> = {}) => {
  const dataDir = folder()
  cpSync(path.join(inject('dataDir'), 'files'), path.join(dataDir, 'files'), { recursive: true })
  return {
    ATRIUM_DEMO: '1',
    DATABASE_URL: await database(),
    ATRIUM_DATA_DIR: dataDir,
    ...variables,
  }
}

/** The process id of the database of a data folder. */
export async function postmasterOf(dataDir: string) {
  const client = new pg.Client({ connectionString: await findRunningPostgres(dataDir) })
  await client.connect()
  const { rows } = await client.query<{ pid: string }>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1) as pid",
  )
  await client.end()
  return Number(rows[0]?.pid)
}
