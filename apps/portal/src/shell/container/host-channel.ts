import { frameSays } from '#lib/environment.ts'

/** The way messages take to the host app and back. */
export type Door = {
  send: (text: string) => void
  /** Called once, with what takes the texts that arrive. */
  listen: (receive: (text: unknown) => void) => void
}

/** What host apps put into the page, each as its system allows. */
type Injected = {
  /** Android and HarmonyOS. Android's WebMessageListener also brings `onmessage`. */
  AtriumHost?: { postMessage: (text: string) => void; onmessage?: (event: MessageEvent) => void }
  /** iOS. */
  webkit?: { messageHandlers?: { AtriumHost?: { postMessage: (text: string) => void } } }
  /** What a host calls to answer where it has no `onmessage`. */
  AtriumPortal?: { receive: (text: unknown) => void }
}

/** The host app's door, or nothing where no host app has put one here. */
export function findDoor(): Door | undefined {
  const injected = window as unknown as Injected
  // Objects of a Java bridge lose their methods when these are taken off them: call them in place.
  const own = injected.AtriumHost ?? injected.webkit?.messageHandlers?.AtriumHost
  if (own) {
    return {
      send: (text) => own.postMessage(text),
      listen(receive) {
        injected.AtriumPortal = { receive }
        try {
          if (injected.AtriumHost) injected.AtriumHost.onmessage = ({ data }) => receive(data)
        } catch {
          // Objects of a plain bridge take no new property: such a host calls AtriumPortal.
        }
      },
    }
  }
  // Only the simulator lends a user agent, and only a page of our own origin can: the frame around us is ours.
  if (!frameSays.userAgent) return undefined
  return {
    send: (text) => parent.postMessage(text, location.origin),
    listen: (receive) =>
      addEventListener('message', ({ source, origin, data }) => {
        if (source === parent && origin === location.origin) receive(data)
      }),
  }
}
