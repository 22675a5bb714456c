import { ContainerError, type Reason, reasons } from './events.ts'

/**
 * The messages between the app and the program around it: JSON texts in both directions. A request carries an `id`, and
 * its answer repeats it. docs/containers.md describes them for the teams of host apps; the container simulator uses the
 * same functions.
 */
export const version = 1

type MessageBody =
  | { id: string; event: string; data: unknown; key?: string }
  | { id: string; answer: unknown; key?: string }
  | { id: string; error: Reason; message?: string; key?: string }
export type Message = { atrium: number } & MessageBody

/** Longer messages are ignored. */
const maxLength = 200_000

export const write = (body: MessageBody) => JSON.stringify({ atrium: version, ...body })

/** Parses a message of this protocol; undefined for anything else sent over the same channel. */
export function read(input: unknown): Message | undefined {
  if (typeof input !== 'string' || input.length > maxLength) return undefined
  let message: Record<string, unknown>
  try {
    message = JSON.parse(input)
  } catch {
    return undefined
  }
  if (typeof message !== 'object' || message === null || typeof message.atrium !== 'number')
    return undefined
  const { atrium, id, event, data, answer, error } = message
  if (typeof id !== 'string' || id === '' || id.length > 100) return undefined
  const key = typeof message.key === 'string' && message.key ? { key: message.key } : {}
  if (typeof event === 'string') return { atrium, id, event, data, ...key }
  if (error !== undefined) {
    const reason = reasons.find((known) => known === error) ?? 'failed'
    const detail = typeof message.message === 'string' ? message.message.slice(0, 500) : ''
    return { atrium, id, error: reason, message: detail, ...key }
  }
  return 'answer' in message ? { atrium, id, answer, ...key } : undefined
}

type Handler = (event: string, data: unknown, key: string | undefined) => unknown

export type Conversation = {
  /** Sends a request and waits at most `limit` milliseconds for its answer. */
  request: (event: string, data: unknown, limit: number) => Promise<unknown>
  /** Must be called with every incoming text. */
  receive: (text: unknown) => void
  /** All later messages carry this key. */
  setKey: (key: string) => void
}

/**
 * One side of the conversation. `handle` answers the other side's requests; it throws a ContainerError to give a reason
 * for refusing.
 */
export function startConversation(send: (text: string) => void, handle: Handler): Conversation {
  const waiting = new Map<string, (message: Message) => void>()
  // Two pages of the app may follow each other in one host; the prefix keeps an answer for one from reaching the other.
  const page = Math.random().toString(36).slice(2, 8)
  let requestCount = 0
  let key: { key?: string } = {}

  return {
    request(event, data, limit) {
      const id = `${page}-${++requestCount}`
      return new Promise((resolve, reject) => {
        const settle = (end: () => void) => {
          clearTimeout(timer)
          waiting.delete(id)
          end()
        }
        const timer = setTimeout(
          () => settle(() => reject(new ContainerError('timeout', event))),
          limit,
        )
        waiting.set(id, (message) =>
          settle(() => {
            if ('error' in message) reject(new ContainerError(message.error, message.message))
            else if ('answer' in message) resolve(message.answer)
          }),
        )
        try {
          send(write({ id, event, data, ...key }))
        } catch (error) {
          settle(() => reject(new ContainerError('failed', String(error))))
        }
      })
    },

    receive(text) {
      const message = read(text)
      if (!message) return
      if (!('event' in message)) {
        waiting.get(message.id)?.(message)
        return
      }
      const { id, event, data, key: otherKey } = message
      void (async () => {
        try {
          send(write({ id, answer: (await handle(event, data, otherKey)) ?? {}, ...key }))
        } catch (error) {
          const reason = error instanceof ContainerError ? error.reason : 'failed'
          send(write({ id, error: reason, ...key }))
        }
      })()
    },

    setKey(value) {
      key = { key: value }
    },
  }
}
