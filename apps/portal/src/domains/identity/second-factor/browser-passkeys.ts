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

/** Old webviews and mini-programs do not support passkeys. */
export const canUsePasskeys = () => browserSupportsWebAuthn()

/** Creates a passkey. The options are the server's, in WebAuthn's JSON format. */
export const createPasskey = (options: Options) =>
  startRegistration({ optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON })

/** Signs in with a passkey. @param offered as autofill of the username field, instead of prompting immediately */
export const requestPasskey = (options: Options, offered = false) =>
  startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    useBrowserAutofill: offered,
  })

/** The error message; empty if the user cancelled. */
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

/** The default name of a new passkey: the device it was created on. */
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
