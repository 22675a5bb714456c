import { createParser } from 'eventsource-parser'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { postOutside } from '#platform/outbound/stream-outside.ts'

/** Why a model gave no answer. */
export type ModelFault = 'down' | 'slow' | 'cut' | 'garbage' | 'refused' | 'busy'
export class ModelError extends Error {
  readonly fault: ModelFault
  constructor(fault: ModelFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export type Model = { address: string; model: string; key: string | undefined; seconds: number }
export type ChatMessage = { role: 'system' | 'user' | 'assistant'; content: string }
export type ToolSpec = {
  type: 'function'
  function: { name: string; description: string; parameters: object }
}
export type ToolCall = { name: string; arguments: string }
export type ModelAnswer = { text: string; calls: ToolCall[]; tokens: number }

/** Limits of an answer: characters, bytes received, total seconds. */
const maxText = 8_000
const maxBytes = 2_000_000
const maxSeconds = 120
const maxCalls = 4

type Chunk = {
  choices?: {
    delta?: Delta
    message?: Delta
    finish_reason?: string | null
  }[]
  usage?: { total_tokens?: unknown } | null
  error?: unknown
}
type Delta = {
  content?: unknown
  tool_calls?: { index?: number; function?: { name?: unknown; arguments?: unknown } }[]
}

/**
 * Calls a model with the OpenAI-compatible chat protocol and streams its text.
 * @throws ModelError
 */
export async function askModel(
  { address, model, key, seconds }: Model,
  asked: { messages: readonly ChatMessage[]; tools?: readonly ToolSpec[]; maxTokens: number },
  {
    allow,
    signal,
    onText,
  }: { allow: string | undefined; signal: AbortSignal; onText: (text: string) => void },
): Promise<ModelAnswer> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), seconds * 1000)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(), seconds * 1000)
  }
  const stop = AbortSignal.any([signal, silence.signal, AbortSignal.timeout(maxSeconds * 1000)])
  try {
    const answer = await postOutside(`${address.replace(/\/+$/, '')}/chat/completions`, {
      allow,
      signal: stop,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages: asked.messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.2,
        max_tokens: asked.maxTokens,
        ...(asked.tools && asked.tools.length > 0 && { tools: asked.tools }),
      }),
    })
    heard()
    if (answer.status !== 200) throw refusal(answer.status)
    const type = answer.headers['content-type'] ?? ''
    const read = openReading(onText)
    if (type.includes('event-stream')) await readEvents(answer.body, read, heard)
    else if (type.includes('json')) read.whole(await readAll(answer.body))
    else throw new ModelError('garbage', `The model answered with ${type || 'something unnamed'}.`)
    return read.answer()
  } catch (error) {
    if (error instanceof ModelError) throw error
    if (stop.aborted)
      throw new ModelError('slow', `The model said nothing for ${seconds} s, or went on too long.`)
    if (error instanceof OutboundError) throw new ModelError('down', error.message)
    throw new ModelError('cut', `The model broke off: ${(error as Error).message}.`)
  } finally {
    clearTimeout(timer)
    // Stop receiving the rest.
    silence.abort()
  }
}

const refusal = (status: number) =>
  status === 429
    ? new ModelError('busy', 'The model has too much to do (status 429).')
    : new ModelError(
        status >= 500 ? 'down' : 'refused',
        `The model refused with the status ${status}.`,
      )

async function readAll(body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new ModelError('garbage', 'The model said far too much.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readEvents(
  body: AsyncIterable<Buffer>,
  read: ReturnType<typeof openReading>,
  heard: () => void,
) {
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => read.event(data),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded')
        throw new ModelError('garbage', 'The model said far too much.')
    },
  })
  let size = 0
  for await (const chunk of body) {
    heard()
    size += chunk.length
    if (size > maxBytes) throw new ModelError('garbage', 'The model said far too much.')
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (read.ended()) return
  }
}

/** Assembles an answer from its chunks. */
function openReading(onText: (text: string) => void) {
  let text = ''
  let tokens = 0
  let finished = false
  let done = false
  let understood = false
  const calls: ToolCall[] = []

  function take({ choices, usage, error }: Chunk) {
    if (error) throw new ModelError('down', 'The model reported a failure.')
    if (typeof usage?.total_tokens === 'number') tokens = usage.total_tokens
    const [choice] = choices ?? []
    if (!choice) return
    understood = true
    const { content, tool_calls } = choice.delta ?? choice.message ?? {}
    if (typeof content === 'string' && content !== '' && text.length < maxText) {
      const piece = content.slice(0, maxText - text.length)
      text += piece
      onText(piece)
    }
    for (const call of tool_calls ?? []) {
      const at = call.index ?? calls.length
      if (!Number.isInteger(at) || at < 0 || at >= maxCalls) continue
      calls[at] ??= { name: '', arguments: '' }
      if (typeof call.function?.name === 'string') calls[at].name += call.function.name
      if (typeof call.function?.arguments === 'string') {
        calls[at].arguments += call.function.arguments
        if (calls[at].arguments.length > maxText)
          throw new ModelError('garbage', 'The model said far too much.')
      }
    }
    if (choice.finish_reason) finished = true
  }
  function parse(data: string) {
    let chunk: Chunk
    try {
      chunk = JSON.parse(data)
    } catch {
      throw new ModelError('garbage', 'The model sent what is no JSON.')
    }
    if (typeof chunk !== 'object' || chunk === null)
      throw new ModelError('garbage', 'The model sent what is no answer.')
    take(chunk)
  }
  return {
    event(data: string) {
      if (done) return
      if (data.trim() === '[DONE]') done = true
      else parse(data)
    },
    /** a complete answer from a server that does not stream */
    whole(data: string) {
      parse(data)
      done = true
    },
    ended: () => done,
    answer(): ModelAnswer {
      if (!understood) throw new ModelError('garbage', 'The model sent no answer.')
      if (!done && !finished) throw new ModelError('cut', 'The model broke off.')
      // For servers that report no token count: about one per two characters.
      const counted = tokens || Math.ceil(text.length / 2)
      return { text, calls: calls.filter(Boolean), tokens: counted }
    },
  }
}
