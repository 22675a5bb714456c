import type { Body } from '@atrium/contract/define'
import type { appointments } from '@atrium/contract/work/appointments'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { fileIssues } from '#platform/storage/file-use.ts'

type FileInput = NonNullable<Body<typeof appointments.create>['files']>

/**
 * Sets the files of an event: the member's own ones, and those already attached. Call in a transaction.
 * @throws request.invalid
 */
export async function setFiles(db: Db, viewer: Member, eventId: string, input: FileInput) {
  const attached = await db
    .selectFrom('event_file')
    .select('file_id')
    .where('event_id', '=', eventId)
    .execute()
  const fieldById = new Map(input.map(({ id }, index) => [id, `files.${index}`]))
  const fields = await fileIssues(
    db,
    viewer,
    fieldById,
    new Set(attached.map((one) => one.file_id)),
  )
  if (Object.keys(fields).length > 0) fail('request.invalid', { fields })
  await db.deleteFrom('event_file').where('event_id', '=', eventId).execute()
  const files = [...new Map(input.map((file) => [file.id, file])).values()]
  if (files.length > 0)
    await db
      .insertInto('event_file')
      .values(
        files.map(({ id, name }, position) => ({
          event_id: eventId,
          file_id: id,
          name: name.trim() || id,
          position,
        })),
      )
      .execute()
}
