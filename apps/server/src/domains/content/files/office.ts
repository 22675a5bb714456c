import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { formatOfName } from '@atrium/rules/file-kinds'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import type { Platform } from '#platform/platform.ts'
import { checkUnpacked } from './check-content.ts'
import { partOf } from './receive.ts'

/** What one conversion may take: seconds of time and of the processor, memory, what it writes. */
const seconds = 90
const memoryKb = 6_000_000
const maxPdfBytes = 200 * 1024 * 1024
/** A larger document is to be downloaded. */
export const maxOfficeBytes = 50 * 1024 * 1024
const maxTries = 2
/** Whom it runs as when the server is root. */
const nobody = 65_534

const found = new Map<string, boolean>()
/** Whether LibreOffice is on this machine. */
export function hasOffice(program: string): boolean {
  if (program === 'off') return false
  let known = found.get(program)
  if (known === undefined) {
    try {
      execFileSync('/bin/sh', ['-c', 'command -v -- "$0"', program], { stdio: 'ignore' })
      known = true
    } catch {
      known = false
    }
    found.set(program, known)
  }
  return known
}

/** Asks for the PDF of an office file, unless it is there or on its way. */
export async function askForPdf(db: Db, fileId: string) {
  await db
    .insertInto('file_preview')
    .values({ file_id: fileId })
    .onConflict((conflict) => conflict.column('file_id').doNothing())
    .execute()
}

export const findPdf = (db: Db, fileId: string) =>
  db
    .selectFrom('file_preview')
    .leftJoin('file', 'file.id', 'file_preview.pdf_file_id')
    .select(['file_preview.status', 'file.id as pdfId', 'file.is_public as pdfPublic'])
    .where('file_preview.file_id', '=', fileId)
    .executeTakeFirst()

const restMs = 2000

/** Makes PDFs as they are asked for, one at a time on this node. */
export function startOffice(platform: Platform): { stop: () => Promise<void> } {
  if (!hasOffice(platform.env.ATRIUM_OFFICE)) return { stop: async () => {} }
  const ending = new AbortController()
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= convertWaiting(platform, ending.signal)
      .catch((error) => platform.log.warn({ err: error }, 'an office file could not be converted'))
      .finally(() => {
        running = undefined
      })
  }, restMs)
  return {
    async stop() {
      clearInterval(timer)
      ending.abort()
      await running
    },
  }
}

/** Converts everything that waits. */
export async function convertWaiting(platform: Platform, ending?: AbortSignal): Promise<void> {
  while (!ending?.aborted) {
    const file = await claim(platform.db)
    if (!file) return
    await convert(platform, file, ending)
  }
}

/** What waits, or was begun by a node that has died since. */
async function claim(db: Db) {
  const { rows } = await sql<{ id: string; sha256: string; name: string; tries: number }>`
    update file_preview p set status = 'working', started_at = now(), tries = p.tries + 1
    from file f
    where f.id = p.file_id and p.file_id = (
      select file_id from file_preview
      where status = 'waiting' or (status = 'working' and started_at < now() - make_interval(secs => ${seconds * 3}))
      order by requested_at limit 1 for update skip locked)
    returning f.id, f.sha256, coalesce(f.name, '') as name, p.tries`.execute(db)
  return rows[0]
}

async function convert(
  platform: Platform,
  file: { id: string; sha256: string; name: string; tries: number },
  ending: AbortSignal | undefined,
) {
  const { db, env, files, log } = platform
  const folder = path.join(os.tmpdir(), `atrium-office-${randomUUID()}`)
  const set = (status: 'waiting' | 'ready' | 'failed', pdfId: string | null = null) =>
    db
      .updateTable('file_preview')
      .set({ status, pdf_file_id: pdfId })
      .where('file_id', '=', file.id)
      .execute()
  try {
    await mkdir(folder, { mode: 0o700 })
    const ending_ = /\.([a-z\d]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? 'bin'
    const source = path.join(folder, `document.${ending_}`)
    await pipeline(files.read(file.sha256), createWriteStream(source, { mode: 0o600 }))
    // Once more: it may have come in under other limits.
    await checkUnpacked(source, formatOfName(file.name))
    const pdf = await runOffice(env.ATRIUM_OFFICE, folder, source, ending)
    const part = await partOf(pdf)
    const pdfId = await files.keepPart(db, part, { mediaType: 'application/pdf', isPublic: false })
    await set('ready', pdfId)
  } catch (error) {
    log.warn({ reason: (error as Error).message, file: file.id }, 'no PDF of an office file')
    // A stop in the middle is no failure: another node or the next start goes on.
    await set(ending?.aborted || file.tries < maxTries ? 'waiting' : 'failed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs LibreOffice on one document, in a folder and with a profile of its own, as nobody where this is root, and within
 * limits that the kernel keeps. @returns the PDF
 */
async function runOffice(
  program: string,
  folder: string,
  source: string,
  ending?: AbortSignal,
): Promise<string> {
  const out = path.join(folder, 'out')
  const profile = path.join(folder, 'profile')
  await mkdir(out)
  await mkdir(path.join(profile, 'user'), { recursive: true })
  await writeFile(path.join(profile, 'user/registrymodifications.xcu'), restrictions)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await giveAway(folder)
  // Set by the shell, kept by the kernel: what the document makes of the program cannot take them off.
  const limits = `ulimit -v ${memoryKb} -t ${seconds}; ulimit -f ${maxPdfBytes / 512}; ulimit -c 0; exec "$0" "$@"`
  const child = spawn(
    '/bin/sh',
    [
      '-c',
      limits.replace(' -t', '; ulimit -t'),
      program,
      '--headless',
      '--norestore',
      '--nolockcheck',
      '--nodefault',
      '--nofirststartwizard',
      `-env:UserInstallation=file://${profile}`,
      '--convert-to',
      'pdf',
      '--outdir',
      out,
      source,
    ],
    {
      cwd: folder,
      // Nothing of ours: the environment holds secrets.
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      stdio: 'ignore',
      detached: true,
      ...(asRoot && { uid: nobody, gid: nobody }),
    },
  )
  const kill = () => {
    try {
      // With all it has started.
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {}
  }
  const timer = setTimeout(kill, seconds * 1000)
  ending?.addEventListener('abort', kill)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`LibreOffice ended with ${signal ?? code}`)),
      )
    })
  } finally {
    clearTimeout(timer)
    ending?.removeEventListener('abort', kill)
    kill()
  }
  const [pdf] = (await readdir(out)).filter((name) => name.endsWith('.pdf'))
  if (!pdf) throw new Error('LibreOffice wrote no PDF')
  const made = path.join(out, pdf)
  const { size } = await stat(made)
  if (size > maxPdfBytes) throw new Error('the PDF is too large')
  return made
}

async function giveAway(folder: string) {
  for (const name of await readdir(folder, { recursive: true }))
    await chown(path.join(folder, name), nobody, nobody)
  await chown(folder, nobody, nobody)
  await chmod(folder, 0o700)
}

/** No macros, nothing active, nothing fetched from where a document points. */
const restrictions = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>1</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
`
