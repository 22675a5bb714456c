import type { Envelope, ErrorEnvelope } from '@atrium/contract/define'
import { m } from '#paraglide/messages.js'
import { ApiError, commonHeaders } from './api.ts'
import { liveSession } from './renewal.ts'

type UploadOptions = {
  signal: AbortSignal
  /** called with the share sent, 0 to 1 */
  onProgress: (share: number) => void
}

/**
 * Uploads a file as multipart form data and returns the answer's data. Uses XMLHttpRequest, because fetch does not
 * report upload progress.
 */
export async function uploadFile<T>(
  path: string,
  file: File,
  { signal, onProgress }: UploadOptions,
): Promise<T> {
  const headers = await uploadHeaders()
  const form = new FormData()
  form.append('file', file, file.name)
  return new Promise<T>((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = () => request.abort()
    request.open('POST', path)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onload = () => {
      try {
        resolve(readEnvelope<T>(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    }
    request.onerror = () => reject(new ApiError('network', 0, m.shell_error_network()))
    request.onabort = () => reject(signal.reason ?? new DOMException('', 'AbortError'))
    request.onloadend = () => signal.removeEventListener('abort', stop)
    signal.addEventListener('abort', stop)
    request.send(form)
    if (signal.aborted) stop()
  })
}

/** Headers for every upload; renews the session if needed. @throws ApiError */
export async function uploadHeaders(): Promise<Record<string, string>> {
  const session = await liveSession()
  if (!session) throw new ApiError('session.expired', 401, m.shell_sign_in_needed())
  return commonHeaders(session, false)
}

/** The data of a response in the server's envelope. @throws ApiError */
export function readEnvelope<T>(status: number, text: string): T {
  let answer: Envelope<T> | ErrorEnvelope
  try {
    answer = JSON.parse(text)
  } catch {
    throw new ApiError('server.failed', status, m.shell_error_network())
  }
  if (answer.code === 0) return answer.data as T
  const { error, message, requestId } = answer as ErrorEnvelope
  throw new ApiError(error, status, message, requestId)
}
