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

/** Limits per conversion: wall and CPU time in seconds, memory in KB, size of the output. */
const seconds = 90
const memoryKb = 6_000_000
const maxPdfBytes = 200 * 1024 * 1024
/** Larger documents are download only. */
export const maxOfficeBytes = 50 * 1024 * 1024
const maxAttempts = 2
/** User id for the conversion if the server runs as root. */
const nobody = 65_534

const installed = new Map<string, boolean>()
/** Whether LibreOffice is installed on this machine. */
export function hasOffice(program: string): boolean {
  if (program === 'off') return false
  let cached = installed.get(program)
  if (cached === undefined) {
    try {
      execFileSync('/bin/sh', ['-c', 'command -v -- "$0"', program], { stdio: 'ignore' })
      cached = true
    } catch {
      cached = false
    }
    installed.set(program, cached)
  }
  return cached
}

/** Requests the PDF of an office file, unless it exists or is pending. */
export async function requestPdf(db: Db, fileId: string) {
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

const pollMs = 2000

/** Converts requested files to PDF, one at a time on this node. */
export function startOfficeConverter(platform: Platform): { stop: () => Promise<void> } {
  if (!hasOffice(platform.env.ATRIUM_OFFICE)) return { stop: async () => {} }
  const shutdown = new AbortController()
  let running: Promise<unknown> | undefined
  const timer = setInterval(() => {
    running ??= convertPending(platform, shutdown.signal)
      .catch((error) => platform.log.warn({ err: error }, 'an office file could not be converted'))
      .finally(() => {
        running = undefined
      })
  }, pollMs)
  return {
    async stop() {
      clearInterval(timer)
      shutdown.abort()
      await running
    },
  }
}

/** Converts all pending files. */
export async function convertPending(platform: Platform, shutdown?: AbortSignal): Promise<void> {
  while (!shutdown?.aborted) {
    const file = await claim(platform.db)
    if (!file) return
    await convert(platform, file, shutdown)
  }
}

/** The next pending file, or one claimed by a node that has died. */
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
  shutdown: AbortSignal | undefined,
) {
  const { db, env, files, log } = platform
  const folder = path.join(os.tmpdir(), `atrium-office-${randomUUID()}`)
  const setStatus = (status: 'waiting' | 'ready' | 'failed', pdfId: string | null = null) =>
    db
      .updateTable('file_preview')
      .set({ status, pdf_file_id: pdfId })
      .where('file_id', '=', file.id)
      .execute()
  try {
    await mkdir(folder, { mode: 0o700 })
    const extension = /\.([a-z\d]{1,8})$/i.exec(file.name)?.[1]?.toLowerCase() ?? 'bin'
    const source = path.join(folder, `document.${extension}`)
    await pipeline(files.read(file.sha256), createWriteStream(source, { mode: 0o600 }))
    // Checked again: the file may have been uploaded under other limits.
    await checkUnpacked(source, formatOfName(file.name))
    const pdf = await runOffice(env.ATRIUM_OFFICE, folder, source, shutdown)
    const part = await partOf(pdf)
    const pdfId = await files.keepPart(db, part, { mediaType: 'application/pdf', isPublic: false })
    await setStatus('ready', pdfId)
  } catch (error) {
    log.warn(
      { reason: (error as Error).message, file: file.id },
      'an office file was not converted to PDF',
    )
    // A shutdown is not a failure: another node or the next start retries.
    await setStatus(shutdown?.aborted || file.tries < maxAttempts ? 'waiting' : 'failed')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs LibreOffice on one document, in a folder and profile of its own, as user nobody if this is root, and with limits
 * enforced by the kernel. @returns the path of the PDF
 */
async function runOffice(
  program: string,
  folder: string,
  source: string,
  shutdown?: AbortSignal,
): Promise<string> {
  const out = path.join(folder, 'out')
  const profile = path.join(folder, 'profile')
  await mkdir(out)
  await mkdir(path.join(profile, 'user'), { recursive: true })
  await writeFile(path.join(profile, 'user/registrymodifications.xcu'), restrictions)
  const asRoot = process.getuid?.() === 0
  if (asRoot) await chownToNobody(folder)
  // Set by the shell, enforced by the kernel: a compromised LibreOffice cannot lift them.
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
      // Not our own environment: it contains secrets.
      env: { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LANG: 'C.UTF-8' },
      stdio: 'ignore',
      detached: true,
      ...(asRoot && { uid: nobody, gid: nobody }),
    },
  )
  const kill = () => {
    try {
      // Including its child processes.
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {}
  }
  const timer = setTimeout(kill, seconds * 1000)
  shutdown?.addEventListener('abort', kill)
  try {
    await new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (code, signal) =>
        code === 0 ? resolve() : reject(new Error(`LibreOffice ended with ${signal ?? code}`)),
      )
    })
  } finally {
    clearTimeout(timer)
    shutdown?.removeEventListener('abort', kill)
    kill()
  }
  const [pdf] = (await readdir(out)).filter((name) => name.endsWith('.pdf'))
  if (!pdf) throw new Error('LibreOffice wrote no PDF')
  const pdfPath = path.join(out, pdf)
  const { size } = await stat(pdfPath)
  if (size > maxPdfBytes) throw new Error('the PDF is too large')
  return pdfPath
}

async function chownToNobody(folder: string) {
  for (const name of await readdir(folder, { recursive: true }))
    await chown(path.join(folder, name), nobody, nobody)
  await chown(folder, nobody, nobody)
  await chmod(folder, 0o700)
}

/** No macros, no active content, no fetching of linked content. */
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
