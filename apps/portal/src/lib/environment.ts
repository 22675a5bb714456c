import { detectEnvironment } from '@atrium/rules/user-agent'

/**
 * Data attributes of the frame around the app. `frameElement` is only accessible in a frame of our own origin, such as
 * the container simulator, which sets the user agent of the container it plays.
 */
export const frameData = (globalThis.frameElement as HTMLElement | null | undefined)?.dataset ?? {}

export const userAgent = frameData.userAgent ?? navigator.userAgent

/** Where the app runs. A hint for layout and flow, never for a permission. */
export const environment = detectEnvironment(userAgent, navigator.maxTouchPoints)

/** The address of first entry, before anything is removed from it. WeChat on iOS checks signatures against it. */
export const landingAddress = globalThis.location?.href ?? ''
