import { detectDevice } from '@atrium/rules/user-agent'
import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'
import { ApiError } from '#lib/api.ts'
import { environment, userAgent } from '#lib/environment.ts'
import { m } from '#paraglide/messages.js'

type Options = Record<string, unknown>

/** Old webviews and mini-programs cannot. */
export const canUsePasskeys = () => browserSupportsWebAuthn()

/** Lets the person make a passkey. The options are the server's, as WebAuthn writes them in JSON. */
export const makePasskey = (options: Options) =>
  startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })

/** Lets the person use a passkey. @param offered among what the username's field offers, instead of asking at once */
export const askPasskey = (options: Options, offered = false) =>
  startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: offered,
  })

/** What a person is told, or nothing where they only changed their mind. */
export function passkeyProblem(error: unknown): string {
  if (error instanceof ApiError) return error.message
  if (!(error instanceof WebAuthnError)) return m.second_factor_passkey_not_done()
  if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
    return m.second_factor_passkey_known()
  if (
    error.code === 'ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT' ||
    error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT'
  )
    return m.second_factor_passkey_unfit()
  return m.second_factor_passkey_not_done()
}

/** What a new passkey is called until its owner says otherwise: the device it was made on. */
export function deviceName() {
  const { model } = detectDevice(userAgent)
  const systems: Record<string, string> = {
    ios: 'iOS',
    android: 'Android',
    harmony: 'HarmonyOS',
    windows: 'Windows',
    macos: 'Mac',
    linux: 'Linux',
  }
  return (model || systems[environment.os] || m.second_factor_passkey()).slice(0, 50)
}
