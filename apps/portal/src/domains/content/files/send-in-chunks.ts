import { resumableFiles, type UploadedFile } from '@atrium/contract/content/files'
import { DetailedError, Upload } from 'tus-js-client'
import { ApiError } from '#lib/api.ts'
import { readEnvelope, uploadHeaders } from '#lib/send-file.ts'
import { m } from '#paraglide/messages.js'
import type { Send } from '#ui/form/uploads.ts'

/** Each chunk gets the full upload timeout, so about 1 Mbit/s is enough. */
const chunkBytes = 2 * 1024 * 1024

/**
 * Uploads with tus 1.0.0. The device remembers the progress, so that the same file resumes after the app was closed.
 */
export const sendInChunks: Send<UploadedFile> = (file, { signal, onProgress, onChunk }) =>
  new Promise<UploadedFile>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: resumableFiles,
      chunkSize: chunkBytes,
      retryDelays: [0, 1000, 3000, 5000],
      metadata: { filename: file.name },
      removeFingerprintOnSuccess: true,
      // For every chunk, since the session may be renewed during a long upload.
      onBeforeRequest: async (request) => {
        for (const [name, value] of Object.entries(await uploadHeaders()))
          request.setHeader(name, value)
      },
      onShouldRetry: (error) => {
        const status = error.originalResponse?.getStatus() ?? 0
        return status === 0 || status === 409 || status === 423 || status >= 500
      },
      onProgress: (sent, total) => onProgress(total > 0 ? sent / total : 0),
      onChunkComplete: onChunk,
      onError: (error) => reject(asApiError(error)),
      onSuccess: ({ lastResponse }) => {
        try {
          resolve(readEnvelope(lastResponse.getStatus(), lastResponse.getBody()))
        } catch (error) {
          reject(error)
        }
      },
    })
    signal.addEventListener('abort', () => {
      void upload.abort()
      reject(signal.reason)
    })
    // Resume an upload of the same file started on this device.
    upload
      .findPreviousUploads()
      .then(([previous]) => {
        if (previous) upload.resumeFromPreviousUpload(previous)
        if (!signal.aborted) upload.start()
      })
      .catch(reject)
  })

function asApiError(error: Error) {
  const response = error instanceof DetailedError ? error.originalResponse : null
  if (!response) return new ApiError('network', 0, m.shell_error_network())
  try {
    readEnvelope(response.getStatus(), response.getBody())
  } catch (failure) {
    return failure
  }
  return error
}
