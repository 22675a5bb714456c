import { randomBytes } from 'node:crypto'
import type { ProviderTest } from '@atrium/contract/identity/federation'
import { requestValidation } from '#domains/identity/federation/cas.ts'
import { readServiceResponse } from '#domains/identity/federation/cas-answer.ts'
import { UntrustedAnswerError } from '#domains/identity/federation/external-identity.ts'
import { code2Session, redeemPageCode } from '#domains/identity/federation/mini-program.ts'
import { discover } from '#domains/identity/federation/openid.ts'
import type { Provider } from '#domains/identity/federation/queries.ts'
import { mayRedirectTo } from '#domains/identity/federation/rules.ts'
import { requestToken } from '#domains/identity/federation/wecom.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'

type Check = ProviderTest['checks'][number]

/** Tests whether a provider is reachable and knows us, without a sign-in. Its messages are for operators. */
export async function tryProvider(platform: Platform, provider: Provider): Promise<ProviderTest> {
  const checks = await checksByKind[provider.kind](platform, provider)
  return { ok: checks.every(({ ok }) => ok), checks }
}

const checksByKind: Record<
  Provider['kind'],
  (platform: Platform, provider: Provider) => Promise<Check[]>
> = {
  // Uses an invalid ticket: a working CAS server refuses it with its own message.
  cas: async (platform, provider) => [
    await check('validate', async () => {
      const ticket = `ST-test-${randomBytes(12).toString('hex')}`
      const answer = await requestValidation(platform, provider, `${platform.origin()}/`, ticket)
      try {
        readServiceResponse(answer)
      } catch (error) {
        if (error instanceof UntrustedAnswerError && /refused the ticket/.test(error.message))
          return error.message
        throw error
      }
      throw new UntrustedAnswerError('it accepted an invalid ticket')
    }),
  ],
  openid: async (platform, provider) => {
    let address = ''
    const discovered = await check('discovery', async () => {
      const server = (await discover(platform, provider)).serverMetadata()
      address = server.authorization_endpoint ?? ''
      return `issuer ${server.issuer}`
    })
    if (!discovered.ok) return [discovered]
    const redirect = await check('authorization endpoint', async () => {
      const { casHosts } = await currentSettings(platform)
      if (!mayRedirectTo(address, provider.settings.issuer ?? '', casHosts))
        throw new UntrustedAnswerError(`${address} is on another host: add that host to casHosts`)
      return address
    })
    return [discovered, redirect]
  },
  // 40029: invalid code, so app id and secret were accepted.
  'wechat-mini': async (platform, provider) => [
    await check('code2Session', async () => {
      const { errcode, errmsg } = await code2Session(platform, provider, 'test')
      if (errcode !== 40029)
        throw new UntrustedAnswerError(`${errcode} ${String(errmsg).slice(0, 200)}`)
      return 'it knows the app'
    }),
  ],
  'wechat-mp': async (platform, provider) => [
    await check('oauth2/access_token', async () => {
      const { errcode, errmsg } = await redeemPageCode(platform, provider, 'test')
      if (errcode !== 40029)
        throw new UntrustedAnswerError(`${errcode} ${String(errmsg).slice(0, 200)}`)
      return 'it knows the account'
    }),
  ],
  wecom: async (platform, provider) => [
    await check('gettoken', async () => {
      await requestToken(platform, provider)
      return 'it knows the app'
    }),
  ],
}

async function check(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { check: name, ok: true, said: await work() }
  } catch (error) {
    let message = error instanceof Error ? error.message : String(error)
    for (
      let current = error, depth = 0;
      current instanceof Error && depth < 6;
      current = current.cause, depth++
    )
      message = current.message || message
    return {
      check: name,
      ok: false,
      said: message.replaceAll(/\b(secret|corpsecret)=[^&\s]+/g, '$1=(hidden)').slice(0, 500),
    }
  }
}
