import type { ChatReply } from '@atrium/contract/discovery/robot'
import { errorTexts } from '@atrium/contract/error-texts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#platform/http/errors.ts'
import { languageOf } from '#platform/http/negotiation.ts'

/** Receives an answer while it is being produced. */
export type AnswerSink = {
  start: (reply: ChatReply) => void
  /** a complete sentence */
  part: (part: { text: string; source: number | null }) => void
  /** a chunk of text from a model */
  text: (text: string) => void
  /** aborted when the client disconnects */
  signal: AbortSignal
}

/** Whether the caller accepts server-sent events; otherwise JSON. */
export const acceptsEvents = ({ headers }: FastifyRequest) =>
  (headers.accept ?? '').includes('text/event-stream')

/** A teller without output, for callers that wait for the whole answer. */
export const silentSink = (): AnswerSink => ({
  start() {},
  part() {},
  text() {},
  signal: new AbortController().signal,
})

/**
 * Answers with server-sent events: `start`, then `part` or `text`, then `done` with the whole reply; `failed` on error.
 */
export async function streamAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sink: AnswerSink) => Promise<ChatReply>,
) {
  const disconnect = new AbortController()
  let isOpen = false
  const write = (event: string, data: unknown) => {
    if (!isOpen) {
      isOpen = true
      reply.hijack()
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // prevents nginx from buffering events
        'x-accel-buffering': 'no',
      })
      reply.raw.on('close', () => disconnect.abort())
    }
    if (!disconnect.signal.aborted)
      reply.raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  }
  try {
    const done = await work({
      start: (data) => write('start', data),
      part: (data) => write('part', data),
      text: (text) => write('text', { text }),
      signal: disconnect.signal,
    })
    write('done', done)
  } catch (error) {
    // Before the first event, errors are answered normally.
    if (!isOpen) throw error
    const code = error instanceof Refusal ? error.code : 'server.failed'
    if (!(error instanceof Refusal))
      request.log.error({ err: error }, 'an answer of the assistant failed')
    const language = languageOf(request.headers['accept-language'])
    write('failed', { error: code, message: errorTexts[language][code], requestId: request.id })
  }
  reply.raw.end()
}
