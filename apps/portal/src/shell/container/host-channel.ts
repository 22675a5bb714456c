import { frameData } from '#lib/environment.ts'

/** The message channel to the host app. */
export type HostChannel = {
  send: (text: string) => void
  /** Called once, with the receiver of incoming texts. */
  listen: (receive: (text: unknown) => void) => void
}

/** Objects that host apps inject into the page; they differ by system. */
type Injected = {
  /** Android and HarmonyOS. Android's WebMessageListener also brings `onmessage`. */
  AtriumHost?: { postMessage: (text: string) => void; onmessage?: (event: MessageEvent) => void }
  /** iOS. */
  webkit?: { messageHandlers?: { AtriumHost?: { postMessage: (text: string) => void } } }
  /** Called by a host to answer if it has no `onmessage`. */
  AtriumPortal?: { receive: (text: unknown) => void }
}

/** The channel to the host app; undefined if there is none. */
export function findHostChannel(): HostChannel | undefined {
  const injected = window as unknown as Injected
  // Methods of a Java bridge object cannot be detached from it: call them in place.
  const bridge = injected.AtriumHost ?? injected.webkit?.messageHandlers?.AtriumHost
  if (bridge) {
    return {
      send: (text) => bridge.postMessage(text),
      listen(receive) {
        injected.AtriumPortal = { receive }
        try {
          if (injected.AtriumHost) injected.AtriumHost.onmessage = ({ data }) => receive(data)
        } catch {
          // A plain bridge object does not accept new properties: such a host calls AtriumPortal.
        }
      },
    }
  }
  // Only the simulator sets a user agent, and only a page of our own origin can do so: the parent frame is trusted.
  if (!frameData.userAgent) return undefined
  return {
    send: (text) => parent.postMessage(text, location.origin),
    listen: (receive) =>
      addEventListener('message', ({ source, origin, data }) => {
        if (source === parent && origin === location.origin) receive(data)
      }),
  }
}
