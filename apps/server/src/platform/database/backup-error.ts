import { StartError } from '#platform/environment.ts'
import { fileIssue } from '#platform/ingest/text-file.ts'
import { sqlState } from './db.ts'
import { isOutage } from './outage.ts'

export function explainBackupError(error: unknown, file: string): unknown {
  if (error instanceof StartError) return error
  if (sqlState(error) === '53100')
    return new StartError(
      'The disk of the database is full. Nothing was changed; free some space there and try again.',
    )
  if (isOutage(error) && !('path' in (error as object)))
    return new StartError(
      `The connection to the database was lost (${(error as Error).message}). Nothing was changed.`,
    )
  if (sqlState(error) === '42501')
    return new StartError(
      `The database user may not do this (${(error as Error).message}). Nothing was changed; it must own the database.`,
    )
  if ((error as NodeJS.ErrnoException).syscall)
    return new StartError(fileIssue((error as NodeJS.ErrnoException).path ?? file, error))
  return error
}
