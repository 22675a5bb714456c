import { files, resumableFrom, type UploadedFile } from '@atrium/contract/content/files'
import { formatOfName } from '@atrium/rules/file-kinds'
import { ApiError } from '#lib/api.ts'
import { sendFile } from '#lib/send-file.ts'
import { m } from '#paraglide/messages.js'
import { type Send, UploadRefused } from '#ui/form/uploads.ts'

/** Sends one file of a member: a small one at once, a large one in pieces that go on where they were cut off. */
export const sendUpload: Send<UploadedFile> = async (file, options) => {
  // Said at once, not after minutes of sending.
  if (!formatOfName(file.name)) throw new UploadRefused(m.files_type_refused())
  if (file.size === 0) throw new UploadRefused(m.files_empty_file())
  try {
    if (file.size <= resumableFrom) return await sendFile(files.upload.path, file, options)
    const { sendInPieces } = await import('./send-in-pieces.ts')
    return await sendInPieces(file, options)
  } catch (error) {
    // What passes may be tried again; what the server says of this file will not change.
    if (error instanceof ApiError && !error.passing && error.status !== 401)
      throw new UploadRefused(error.message)
    throw error
  }
}
