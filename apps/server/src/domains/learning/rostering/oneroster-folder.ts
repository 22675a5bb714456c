import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { StartError } from '#platform/environment.ts'
import { type ImportBySql, type RowSource, readRows } from '#platform/ingest/import.ts'
import { ArchiveError, checkZip } from '#platform/storage/check-zip.ts'
import { manifestFields, type OneRosterFile, oneRosterFiles } from './oneroster-fields.ts'

/** Access to a source's records, by file. */
export type Records = {
  /** name shown to operators */
  name: string
  /** undefined if the source has no such records */
  of: (file: OneRosterFile) => RowSource | undefined
}

const maxUnpacked = 300_000_000

/**
 * Runs `work` with the files of a OneRoster export; a ZIP is unpacked temporarily.
 * @throws StartError
 */
export async function withExport<T>(
  run: ImportBySql,
  source: string,
  work: (records: Records) => Promise<T>,
): Promise<T> {
  return withFolder(source, async (folder) => {
    const fileOf = (name: string) => path.join(folder, `${name}.csv`)
    await checkManifest(run, source, fileOf('manifest'))
    return work({
      name: source,
      of: (file) => (existsSync(fileOf(file)) ? fileOf(file) : undefined),
    })
  })
}

/** @throws StartError for another version, and for delta files: records missing from them would be deleted */
async function checkManifest(run: ImportBySql, source: string, file: string) {
  if (!existsSync(file)) {
    run.note('there is no manifest.csv: read as a complete export of OneRoster 1.2')
    return
  }
  const silentRun = { ...run, note: () => {}, read: () => {} }
  for await (const { values } of readRows(silentRun, file, manifestFields, 'name')) {
    const { name, value = '' } = values
    if (name === 'oneroster.version' && !/^1\.[12]$/.test(value))
      throw new StartError(`${source} is OneRoster ${value}; only 1.2 and 1.1 are supported.`)
    if (name.startsWith('file.') && value === 'delta')
      throw new StartError(
        `${source}: ${name.slice(5)}.csv contains only changes (delta). Export everything (bulk), or read the source through its API.`,
      )
  }
}

async function withFolder<T>(source: string, work: (folder: string) => Promise<T>): Promise<T> {
  const info = await stat(source).catch(() => {
    throw new StartError(`There is no folder or file ${source}.`)
  })
  if (info.isDirectory()) return work(source)
  try {
    await checkZip(source, { encrypted: false, unpacked: maxUnpacked })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new StartError(`${source} cannot be unpacked safely: ${error.message}.`)
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-oneroster-'))
  try {
    const { unzipSync } = await import('fflate')
    const names = new Set(['manifest', ...oneRosterFiles].map((name) => `${name}.csv`))
    const unpacked = unzipSync(await readFile(source), {
      filter: ({ name }) => names.has(path.posix.basename(name)),
    })
    for (const [name, bytes] of Object.entries(unpacked))
      await writeFile(path.join(folder, path.posix.basename(name)), bytes, { mode: 0o600 })
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
