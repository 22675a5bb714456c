import { ApiError } from '#lib/api.ts'

/** Sends a code; where many were asked for before, the device solves a puzzle first. */
async function withCaptcha<Answer>(ask: (captcha?: string) => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'login.captcha_due') throw error
    const { solveCaptcha } = await import('#domains/identity/login/captcha.ts')
    return ask(await solveCaptcha())
  }
}

/** When the next code may be asked for, in milliseconds, by what it is for: it outlasts the page. */
export const waits = new Map<string, number>()

/**
 * For the code button: sends, and says how long to wait, also where the server said that it is too early.
 * @param failed hears what went wrong
 */
export async function sendAndWait(
  purpose: string,
  ask: (captcha?: string) => Promise<{ retryAfter: number }>,
  failed: (error: unknown) => void,
) {
  const wait = (seconds: number) => {
    waits.set(purpose, Date.now() + seconds * 1000)
    return seconds * 1000
  }
  try {
    return wait((await withCaptcha(ask)).retryAfter)
  } catch (error) {
    failed(error)
    if (error instanceof ApiError && error.retryAfter > 0) return wait(error.retryAfter)
    throw error
  }
}
