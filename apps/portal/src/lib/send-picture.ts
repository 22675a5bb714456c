import type { Endpoint, Reply } from '@atrium/contract/define'
import { m } from '#paraglide/messages.js'
import { ApiError, commonHeaders } from './api.ts'
import { liveSession } from './renewal.ts'

type UploadOptions = { signal: AbortSignal; onProgress: (share: number) => void }

/**
 * Uploads a picture unchanged as the request body; the server re-encodes it. Uses XMLHttpRequest, because fetch does
 * not report upload progress.
 */
export async function uploadPicture<E extends Endpoint>(
  { method, path }: E,
  file: File,
  { signal, onProgress }: UploadOptions,
): Promise<Reply<E>> {
  const session = await liveSession()
  return new Promise<Reply<E>>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, path)
    for (const [name, value] of Object.entries(commonHeaders(session, false)))
      request.setRequestHeader(name, value)
    request.setRequestHeader('Content-Type', file.type || 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () =>
      request.status === 200 && request.response
        ? resolve(request.response.data)
        : reject(
            new ApiError(
              request.response?.error ?? 'network',
              request.status,
              request.response?.message ?? m.shell_error_network(),
            ),
          )
    request.onerror = () => reject(new ApiError('network', 0, m.shell_error_network()))
    request.onabort = () => reject(signal.reason)
    signal.addEventListener('abort', () => request.abort())
    request.send(file)
  })
}
