import { detectEnvironment } from '@atrium/rules/user-agent'

/**
 * What the frame around the app says of it. Only a page of our own origin can frame the app so that it sees the frame at
 * all; the container simulator is one, and lends the app the user agent of the container it plays.
 */
export const frameSays = (globalThis.frameElement as HTMLElement | null | undefined)?.dataset ?? {}

export const userAgent = frameSays.userAgent ?? navigator.userAgent

/** Where the app runs. A hint for layout and flow, never for a permission. */
export const environment = detectEnvironment(userAgent, navigator.maxTouchPoints)

/** The address of first entry, before anything is taken out of it. WeChat on iOS holds a page to it. */
export const landingAddress = globalThis.location?.href ?? ''
