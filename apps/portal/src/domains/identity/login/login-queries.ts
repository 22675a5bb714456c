import type { Body } from '@atrium/contract/define'
import { identity } from '@atrium/contract/identity/identity'
import { useQuery } from '@tanstack/react-query'
import { ApiError, call } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { q } from '#lib/queries.ts'

export const useLoginConfigs = () => useQuery({ ...q(identity.configs), staleTime: 10 * 60_000 })

/**
 * Signs in with a password. After a failed attempt, the device must first solve a captcha.
 * @param checking called when it starts solving
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
    // Loaded only here, since most sign-ins need no captcha.
    const { solveCaptcha } = await import('./captcha.ts')
    return call(identity.passwordLogin, { body: { ...body, captcha: await solveCaptcha() } })
  }
}

/** A mini-program signs in by itself; WeCom and official accounts only work in their own browser. */
export const isUsable = {
  cas: true,
  openid: true,
  wecom: environment.isWeCom,
  'wechat-mini': false,
  'wechat-mp': environment.isWeChat,
}
