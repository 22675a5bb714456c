import type { HandledFile } from '#domains/work/tasks/handled-files.ts'
import type { Platform } from '#platform/platform.ts'

/** Leaves time for a system that queues the download. */
const linkSeconds = 3600

/** Links to the files of an outcome, by form field. Another system can download them without an account. */
export function linkFiles({ files, origin }: Platform, handledFiles: readonly HandledFile[]) {
  const expires = String(Math.floor(Date.now() / 1000) + linkSeconds)
  const link = ({ id, name, mediaType, size }: HandledFile) => ({
    name,
    mediaType,
    size,
    url: `${origin()}${files.address({ id, is_public: false }, name, expires)}`,
  })
  return Object.fromEntries(
    [...new Set(handledFiles.map(({ field }) => field))].map((field) => [
      field,
      handledFiles.filter((one) => one.field === field).map(link),
    ]),
  )
}
