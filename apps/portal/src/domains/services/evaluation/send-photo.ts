import { evaluationPhotos, type Photo } from '@atrium/contract/services/evaluation'
import { ApiError, commonHeaders } from '#lib/api.ts'
import { liveSession } from '#lib/renewal.ts'
import { m } from '#paraglide/messages.js'
import type { Send } from '#ui/form/uploads.ts'

/** Sends a photo as it is; the server draws it again. By the older of the two ways to ask, which alone tells how much has gone. */
export const sendPhoto: Send<Photo> = async (file, { signal, onProgress }) => {
  const session = await liveSession()
  return new Promise<Photo>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(evaluationPhotos.add.method, evaluationPhotos.add.path)
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
