import { files, resumableFrom, type UploadedFile } from '@atrium/contract/content/files'
import { formatOfName } from '@atrium/rules/file-kinds'
import { ApiError } from '#lib/api.ts'
import { uploadFile } from '#lib/send-file.ts'
import { m } from '#paraglide/messages.js'
import { type Send, UploadRefused } from '#ui/form/uploads.ts'

/** Uploads one file of a member: small files in one request, large ones in resumable chunks. */
export const sendUpload: Send<UploadedFile> = async (file, options) => {
  // Refuse immediately, not after minutes of uploading.
  if (!formatOfName(file.name)) throw new UploadRefused(m.files_type_refused())
  if (file.size === 0) throw new UploadRefused(m.files_empty_file())
  try {
    if (file.size <= resumableFrom) return await uploadFile(files.upload.path, file, options)
    const { sendInChunks } = await import('./send-in-chunks.ts')
    return await sendInChunks(file, options)
  } catch (error) {
    // Transient errors may be retried; the server's refusal of this file is final.
    if (error instanceof ApiError && !error.isTransient && error.status !== 401)
      throw new UploadRefused(error.message)
    throw error
  }
}
