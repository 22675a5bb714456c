import type { Endpoint, ErrorEnvelope, Input } from '@atrium/contract/define'
import { m } from '#paraglide/messages.js'
import { ApiError, buildUrl, commonHeaders } from './api.ts'
import { liveSession } from './renewal.ts'

/**
 * Fetches a file of the contract with the member's session and saves it on the device.
 * @throws ApiError
 */
export async function download<E extends Endpoint>(endpoint: E, input: Input<E>, name: string) {
  const { params, query, body } = input as {
    params?: Record<string, string>
    query?: object
    body?: object
  }
  const session = await liveSession()
  const response = await fetch(buildUrl(endpoint.path, params, query as Record<string, string>), {
    method: endpoint.method,
    headers: commonHeaders(session, body !== undefined),
    ...(body && { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError('network', 0, m.shell_error_network())
  })
  if (!response.ok) {
    const { error, message, requestId } = (await response.json()) as ErrorEnvelope
    throw new ApiError(error, response.status, message, requestId)
  }
  saveFile(await response.blob(), name)
}

/** Saves a file created in the browser on the device. */
export function saveFile(file: Blob, name: string) {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
