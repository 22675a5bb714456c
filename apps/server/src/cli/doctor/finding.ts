/** Result of a check; the sentence says what to do. */
export type Finding = { state: 'ok' | 'warning' | 'failed'; says: string }
export const ok = (says: string): Finding => ({ state: 'ok', says })
export const warning = (says: string): Finding => ({ state: 'warning', says })
export const failed = (says: string): Finding => ({ state: 'failed', says })

/** Milliseconds a check waits for another system. */
export const checkTimeoutMs = 8000
