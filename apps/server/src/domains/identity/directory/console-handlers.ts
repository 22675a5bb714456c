import { permissions } from '@atrium/contract/define'
import type { DirectorySettings, directories } from '@atrium/contract/identity/directory'
import { assertMayActOn } from '#domains/identity/members/operated-person.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { cursorPage, cursorShapes, pageSizeOf, readCursor } from '#platform/http/paging.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { hasAll } from '#platform/permissions.ts'
import type { Platform } from '#platform/platform.ts'
import { clearOutage, openDirectory } from './check-password.ts'
import { presets } from './presets.ts'
import {
  countEntries,
  type DirectoryRow,
  deleteDirectory,
  deleteEntry,
  directoryPersons,
  findDirectory,
  listDirectories,
  saveDirectory,
} from './queries.ts'
import {
  beginRun,
  confirmStoppedRun,
  findRun,
  findRunDirectory,
  listRunRows,
  listRuns,
  performInBackground,
} from './runs.ts'
import { settingsIssues } from './settings.ts'
import { testDirectory } from './test-connection.ts'

export const directoryHandlers: Handlers<typeof directories> = {
  list: async ({ db }) => Promise.all((await listDirectories(db)).map((row) => describe(db, row))),

  presets: async () => presets,

  save: async ({ db, platform, viewer, params: { code }, body }) => {
    const existing = await findDirectory(db, { code })
    if (existing) await assertMayManage(db, viewer, existing.id)
    // With this setting, somebody who controls the directory could sign in as any operator.
    if (body.settings.takeOver === 'everybody' && !hasAll(viewer, permissions, null))
      fail('operator.beyond_own')
    const issues = (await settingsIssues(db, body.settings)) ?? {}
    if (body.bindPassword === undefined && needsPassword(existing, body.settings))
      issues.bindPassword = 'required'
    if (Object.keys(issues).length > 0)
      fail('directory.settings_invalid', {
        fields: Object.fromEntries(
          Object.entries(issues).map(([field, kind]) => [
            field === 'bindPassword' ? field : `settings.${field}`,
            kind,
          ]),
        ),
      })
    const sealed =
      body.bindPassword === undefined ? undefined : platform.secret.encrypt(body.bindPassword)
    const row = await saveDirectory(db, code, body.settings, sealed)
    clearOutage(row.id)
    return describe(db, row)
  },

  remove: async ({ platform, viewer, params: { code } }) =>
    platform.db.transaction().execute(async (db) => {
      const row = await getDirectory(db, code)
      await assertMayManage(db, viewer, row.id)
      await deleteDirectory(db, row.id)
      return null
    }),

  test: async ({ db, platform, viewer, params: { code }, body }) => {
    const row = await getDirectory(db, code)
    await assertMayManage(db, viewer, row.id)
    clearOutage(row.id)
    return testDirectory(
      openDirectory(platform, row),
      platform.env.ATRIUM_OUTBOUND_ALLOW,
      body.username,
    )
  },

  unlink: async ({ db, viewer, params: { code, username } }) => {
    const row = await getDirectory(db, code)
    await assertMayManage(db, viewer, row.id)
    return (await deleteEntry(db, row.id, username)) ? null : fail('directory.member_not_found')
  },

  importNow: async ({ db, platform, viewer, params: { code }, body }) => {
    const row = await getDirectory(db, code)
    await assertMayManage(db, viewer, row.id)
    return startImport(platform, row.id, { dry: body.dry ?? false, startedBy: viewer.username })
  },

  runs: async ({ db, params: { code }, query }) => {
    const row = await getDirectory(db, code)
    const [before] = readCursor(query.cursor, [cursorShapes.id]) ?? []
    const pageSize = pageSizeOf(query)
    const rows = await listRuns(db, row.id, before, pageSize + 1)
    return cursorPage(
      rows,
      pageSize,
      (run) => [run.id],
      (run) => run,
    )
  },

  run: async ({ db, params: { id } }) => (await findRun(db, id)) ?? fail('directory.run_not_found'),

  report: async ({ db, params: { id }, query }) => {
    if (!(await findRunDirectory(db, id))) fail('directory.run_not_found')
    const [after] = readCursor(query.cursor, [/^\d{1,9}$/]) ?? []
    const pageSize = pageSizeOf(query)
    const rows = await listRunRows(db, id, { what: query.what, after, limit: pageSize + 1 })
    return cursorPage(
      rows,
      pageSize,
      (row) => [row.position],
      ({ position: _, ...row }) => row,
    )
  },

  confirm: async ({ db, platform, viewer, params: { id } }) => {
    const found = (await findRunDirectory(db, id)) ?? fail('directory.run_not_found')
    await assertMayManage(db, viewer, found.directoryId)
    const run = await platform.db.transaction().execute(async (db) => {
      const stopped = (await confirmStoppedRun(db, id)) ?? fail('directory.not_stopped')
      return (
        (await beginRun(db, stopped.directoryId, {
          dry: false,
          startedBy: viewer.username,
          mayDisable: stopped.mayDisable,
        })) ?? fail('directory.busy')
      )
    })
    performInBackground(platform, run)
    return (await findRun(db, run)) ?? fail('directory.run_not_found')
  },
}

async function startImport(
  platform: Platform,
  directoryId: string,
  options: { dry: boolean; startedBy: string },
) {
  const id = (await beginRun(platform.db, directoryId, options)) ?? fail('directory.busy')
  performInBackground(platform, id)
  return (await findRun(platform.db, id)) ?? fail('directory.run_not_found')
}

const getDirectory = async (db: Db, code: string) =>
  (await findDirectory(db, { code })) ?? fail('directory.not_found')

async function describe(db: Db, row: DirectoryRow) {
  const [lastRun] = await listRuns(db, row.id, undefined, 1)
  return {
    code: row.code,
    settings: row.settings,
    hasPassword: row.sealedPassword !== null,
    members: await countEntries(db, row.id),
    lastRun: lastRun ?? null,
  }
}

/** The stored password belongs to the configured servers: pointing them elsewhere must not disclose it. */
function needsPassword(existing: DirectoryRow | undefined, after: DirectorySettings): boolean {
  if (after.bindDn === '') return false
  if (!existing?.sealedPassword) return true
  const { servers, bindDn, startTls, ca } = existing.settings
  return (
    JSON.stringify([servers, bindDn, startTls, ca]) !==
    JSON.stringify([after.servers, after.bindDn, after.startTls, after.ca])
  )
}

/**
 * Managing a directory means controlling its accounts, so nobody may gain permissions by it.
 * @throws operator.member_may_more
 */
const assertMayManage = async (db: Db, viewer: Member, directoryId: string) =>
  assertMayActOn(db, viewer, directoryPersons(directoryId))
