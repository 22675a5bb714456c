import type { Body } from '@atrium/contract/define'
import { identity } from '@atrium/contract/identity/identity'
import { useQuery } from '@tanstack/react-query'
import { ApiError, call } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { q } from '#lib/queries.ts'

export const useLoginConfigs = () => useQuery({ ...q(identity.configs), staleTime: 10 * 60_000 })

/**
 * Signs in with a password. Where somebody has failed before, the device solves a puzzle first.
 * @param checking hears of the puzzle
 */
export async function signInByPassword(
  body: Body<typeof identity.passwordLogin>,
  checking: () => void,
) {
  try {
    return await call(identity.passwordLogin, { body })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'login.captcha_due') throw error
    checking()
    // Only here: most sign-ins need none.
    const { solveCaptcha } = await import('./captcha.ts')
    return call(identity.passwordLogin, { body: { ...body, captcha: await solveCaptcha() } })
  }
}

/** A mini-program signs in by itself; WeCom and official accounts know people in their own browser alone. */
export const isUsable = {
  cas: true,
  openid: true,
  wecom: environment.isWeCom,
  'wechat-mini': false,
  'wechat-mp': environment.isWeChat,
}
