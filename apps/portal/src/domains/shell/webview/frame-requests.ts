import { readWebAddress } from '@atrium/rules/web-address'

/** What a framed page may ask of the app; documented for page authors in docs/webview.md. */
export type FrameRequest =
  | { do: 'setTitle'; title: string }
  | { do: 'openAddress'; address: string }
  | { do: 'back' | 'close' }

const maxTitle = 60
/** Invisible and direction-changing characters, with which a title could be spoofed. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]+/gu

/** The request in a message, if it was sent by the frame's own window and from the framed origin; else undefined. */
export function readRequest(
  message: Pick<MessageEvent, 'source' | 'origin' | 'data'>,
  frame: { window: unknown; origin: string },
): FrameRequest | undefined {
  if (!frame.window || message.source !== frame.window || message.origin !== frame.origin)
    return undefined
  const data: unknown = message.data
  if (typeof data !== 'object' || data === null) return undefined
  const { atrium, title, address } = data as Record<string, unknown>
  switch (atrium) {
    case 'back':
    case 'close':
      return { do: atrium }
    case 'setTitle': {
      const text = typeof title === 'string' ? title.slice(0, 500).replace(unseen, ' ').trim() : ''
      return text ? { do: atrium, title: [...text].slice(0, maxTitle).join('') } : undefined
    }
    case 'openAddress':
      return typeof address === 'string' && readWebAddress(address, location.origin)
        ? { do: atrium, address }
        : undefined
    default:
      return undefined
  }
}
