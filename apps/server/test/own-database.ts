import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase, openPool } from '#platform/database/db.ts'
import type { Import, ImportSettings } from '#platform/ingest/import.ts'
import { createDatabase, dropDatabase, migrateAt } from '../src/database.ts'

/** A separate database without the demo institution, dropped after the test file. */
export async function ownDatabase({
  migrated = true,
  template = '',
} = {}): Promise<{ url: string; db: Database }> {
  const server = inject('server')
  const admin = server.replace('{database}', 'postgres')
  const name = `${inject('template')}_${randomBytes(4).toString('hex')}`
  await createDatabase(admin, name, template || undefined)
  const url = server.replace('{database}', name)
  if (migrated) await migrateAt(url)
  const db = openDatabase(openPool(url, 2))
  afterAll(async () => {
    await db.destroy()
    await dropDatabase(admin, name)
  })
  return { url, db }
}

/** A temporary folder, deleted after the test file. */
export function ownFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    /** @returns the path of a file with this content */
    write(name: string, content: string | Uint8Array) {
      const file = path.join(folder, name)
      writeFileSync(file, content)
      return file
    },
  }
}

/** Import settings that collect issues: `row: sentence`. */
export function listening(settings: ImportSettings = {}): ImportSettings & { issues: string[] } {
  const issues: string[] = []
  return {
    ...settings,
    issues,
    onIssue: (row, sentence) => void issues.push(`${row}: ${sentence}`),
  }
}

/** A stand-in for an import that only reads rows. */
export function reading(): Import & { issues: string[]; notes: string[] } {
  const issues: string[] = []
  const notes: string[] = []
  return {
    issues,
    notes,
    issue: (row: number, sentence: string) => void issues.push(`${row}: ${sentence}`),
    note: (sentence: string) => void notes.push(sentence),
    read() {},
  } as unknown as Import & { issues: string[]; notes: string[] }
}

/** 欧阳 in GB18030, which TextEncoder cannot encode. */
export const ouyangInGb18030 = Buffer.from([0xc5, 0xb7, 0xd1, 0xf4])
/** 姓名 in GB18030: enough text to distinguish a file from Big5. */
export const nameInGb18030 = Buffer.from([0xd0, 0xd5, 0xc3, 0xfb])
