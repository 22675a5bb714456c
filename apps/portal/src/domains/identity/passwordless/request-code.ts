import { ApiError } from '#lib/api.ts'

/** Requests a code; after many requests, the device must first solve a captcha. */
async function withCaptcha<Answer>(
  request: (captcha?: string) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await request()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'login.captcha_due') throw error
    const { solveCaptcha } = await import('#domains/identity/login/captcha.ts')
    return request(await solveCaptcha())
  }
}

/** Earliest time of the next request in ms, by purpose. At module level, so that it outlasts the page. */
export const nextRequestAt = new Map<string, number>()

/**
 * For the code button: requests a code and returns the milliseconds to wait, also if the server answered that it is too
 * early.
 * @param failed called with the error
 */
export async function requestCode(
  purpose: string,
  request: (captcha?: string) => Promise<{ retryAfter: number }>,
  failed: (error: unknown) => void,
) {
  const wait = (seconds: number) => {
    nextRequestAt.set(purpose, Date.now() + seconds * 1000)
    return seconds * 1000
  }
  try {
    return wait((await withCaptcha(request)).retryAfter)
  } catch (error) {
    failed(error)
    if (error instanceof ApiError && error.retryAfter > 0) return wait(error.retryAfter)
    throw error
  }
}
