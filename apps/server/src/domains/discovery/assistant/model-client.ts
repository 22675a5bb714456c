import { createParser } from 'eventsource-parser'
import { OutboundError } from '#platform/outbound/outbound.ts'
import { postExternal } from '#platform/outbound/post-external.ts'

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
export async function callModel(
  { address, model, key, seconds }: Model,
  request: { messages: readonly ChatMessage[]; tools?: readonly ToolSpec[]; maxTokens: number },
  {
    allow,
    signal,
    onText,
  }: { allow: string | undefined; signal: AbortSignal; onText: (text: string) => void },
): Promise<ModelAnswer> {
  const idle = new AbortController()
  let timer = setTimeout(() => idle.abort(), seconds * 1000)
  const resetTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => idle.abort(), seconds * 1000)
  }
  const abortSignal = AbortSignal.any([signal, idle.signal, AbortSignal.timeout(maxSeconds * 1000)])
  try {
    const answer = await postExternal(`${address.replace(/\/+$/, '')}/chat/completions`, {
      allow,
      signal: abortSignal,
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        ...(key && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({
        model,
        messages: request.messages,
        stream: true,
        stream_options: { include_usage: true },
        temperature: 0.2,
        max_tokens: request.maxTokens,
        ...(request.tools && request.tools.length > 0 && { tools: request.tools }),
      }),
    })
    resetTimer()
    if (answer.status !== 200) throw refusal(answer.status)
    const type = answer.headers['content-type'] ?? ''
    const reader = createReader(onText)
    if (type.includes('event-stream')) await readEvents(answer.body, reader, resetTimer)
    else if (type.includes('json')) reader.whole(await readAll(answer.body))
    else
      throw new ModelError(
        'garbage',
        `The model answered with the content type ${type || '(none)'}.`,
      )
    return reader.answer()
  } catch (error) {
    if (error instanceof ModelError) throw error
    if (abortSignal.aborted)
      throw new ModelError(
        'slow',
        `The model sent nothing for ${seconds} s, or its answer took too long.`,
      )
    if (error instanceof OutboundError) throw new ModelError('down', error.message)
    throw new ModelError('cut', `The model’s answer was interrupted: ${(error as Error).message}.`)
  } finally {
    clearTimeout(timer)
    // Stop receiving the rest.
    idle.abort()
  }
}

const refusal = (status: number) =>
  status === 429
    ? new ModelError('busy', 'The model is overloaded (status 429).')
    : new ModelError(
        status >= 500 ? 'down' : 'refused',
        `The model refused the request (status ${status}).`,
      )

async function readAll(body: AsyncIterable<Buffer>) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new ModelError('garbage', 'The model’s answer is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function readEvents(
  body: AsyncIterable<Buffer>,
  reader: ReturnType<typeof createReader>,
  onData: () => void,
) {
  const decoder = new TextDecoder()
  const parser = createParser({
    onEvent: ({ data }) => reader.event(data),
    onError(error) {
      if (error.type === 'max-buffer-size-exceeded')
        throw new ModelError('garbage', 'The model’s answer is too long.')
    },
  })
  let size = 0
  for await (const chunk of body) {
    onData()
    size += chunk.length
    if (size > maxBytes) throw new ModelError('garbage', 'The model’s answer is too long.')
    parser.feed(decoder.decode(chunk, { stream: true }))
    if (reader.ended()) return
  }
}

/** Assembles an answer from its chunks. */
function createReader(onText: (text: string) => void) {
  let text = ''
  let tokens = 0
  let isFinished = false
  let isDone = false
  let hasChoice = false
  const calls: ToolCall[] = []

  function applyChunk({ choices, usage, error }: Chunk) {
    if (error) throw new ModelError('down', 'The model reported an error.')
    if (typeof usage?.total_tokens === 'number') tokens = usage.total_tokens
    const [choice] = choices ?? []
    if (!choice) return
    hasChoice = true
    const { content, tool_calls } = choice.delta ?? choice.message ?? {}
    if (typeof content === 'string' && content !== '' && text.length < maxText) {
      const piece = content.slice(0, maxText - text.length)
      text += piece
      onText(piece)
    }
    for (const call of tool_calls ?? []) {
      const index = call.index ?? calls.length
      if (!Number.isInteger(index) || index < 0 || index >= maxCalls) continue
      calls[index] ??= { name: '', arguments: '' }
      if (typeof call.function?.name === 'string') calls[index].name += call.function.name
      if (typeof call.function?.arguments === 'string') {
        calls[index].arguments += call.function.arguments
        if (calls[index].arguments.length > maxText)
          throw new ModelError('garbage', 'The model’s answer is too long.')
      }
    }
    if (choice.finish_reason) isFinished = true
  }
  function parse(data: string) {
    let chunk: Chunk
    try {
      chunk = JSON.parse(data)
    } catch {
      throw new ModelError('garbage', 'The model’s answer is not JSON.')
    }
    if (typeof chunk !== 'object' || chunk === null)
      throw new ModelError('garbage', 'The model’s answer has an unexpected form.')
    applyChunk(chunk)
  }
  return {
    event(data: string) {
      if (isDone) return
      if (data.trim() === '[DONE]') isDone = true
      else parse(data)
    },
    /** a complete answer from a server that does not stream */
    whole(data: string) {
      parse(data)
      isDone = true
    },
    ended: () => isDone,
    answer(): ModelAnswer {
      if (!hasChoice) throw new ModelError('garbage', 'The model’s answer is empty.')
      if (!isDone && !isFinished) throw new ModelError('cut', 'The model’s answer was interrupted.')
      // For servers that report no token count: about one per two characters.
      const tokenCount = tokens || Math.ceil(text.length / 2)
      return { text, calls: calls.filter(Boolean), tokens: tokenCount }
    },
  }
}
