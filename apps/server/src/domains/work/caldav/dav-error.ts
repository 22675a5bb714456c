import type { Markup } from './xml.ts'

/** A protocol error: a status, the violated precondition (RFC 4918 §16), and a message. */
export class DavError extends Error {
  readonly status: number
  readonly condition: Markup | undefined
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    message: string,
    { condition, retryAfter }: { condition?: Markup; retryAfter?: number } = {},
  ) {
    super(message)
    this.status = status
    this.condition = condition
    this.retryAfter = retryAfter
  }
}

export const notFound = () => new DavError(404, 'Nothing was found at this address.')
