import type { Endpoint, Input, Reply } from '@atrium/contract/define'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { m } from '#paraglide/messages.js'
import { ApiError, buildUrl, call, commonHeaders } from './api.ts'
import { liveSession } from './renewal.ts'

type RequestParts = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * Calls an endpoint that answers with server-sent events: `onEvent` gets each one, and `done` carries the complete
 * answer. If the browser cannot read streams, or the session was refused, falls back to a plain call.
 */
export async function callByEvents<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  onEvent: (name: string, data: unknown) => void,
  signal: AbortSignal,
): Promise<Reply<E>> {
  const session = await liveSession()
  if (!session || !('ReadableStream' in window) || !('TextDecoderStream' in window))
    return call(endpoint, input, signal)
  const { params, query, body } = input as RequestParts
  try {
    const response = await fetch(buildUrl(endpoint.path, params, query), {
      method: endpoint.method,
      headers: { ...commonHeaders(session, true), Accept: 'text/event-stream' },
      body: JSON.stringify(body),
      signal,
    })
    if (response.status === 401) return await call(endpoint, input, signal)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (!response.ok || !isStream || !response.body) throw await refusalOf(response)
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
      .getReader()
    for (;;) {
      const { done, value } = await events.read()
      if (done) throw new ApiError('network', 0, m.shell_error_network())
      const data = JSON.parse(value.data)
      if (value.event === 'done') return data as Reply<E>
      if (value.event === 'failed')
        throw new ApiError(data.error, 502, data.message, data.requestId)
      onEvent(value.event ?? '', data)
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal.aborted) throw signal.reason
    throw new ApiError('network', 0, m.shell_error_network())
  }
}

async function refusalOf(response: Response) {
  const { error, message, requestId, fields } = await response.json()
  return new ApiError(error, response.status, message, requestId, fields)
}
