import { OneOf, post, type Static, T, Time } from '../define.ts'
import { SignIn } from './identity.ts'
import { DeviceDescription } from './sessions.ts'

/** Lifetime in seconds of a code on a computer's screen. */
export const scanSeconds = 120

export const scanStates = ['waiting', 'scanned', 'confirmed', 'refused', 'over'] as const

/** The requesting computer, as shown on the phone that scanned the code. */
export const ScanRequest = T.Object(
  {
    device: DeviceDescription,
    address: T.String({ description: 'IP address of the computer' }),
    place: T.String({ description: "operators' name of that network; empty: unknown network" }),
    sameNetwork: T.Boolean({ description: 'phone and computer have the same address' }),
    startedAt: Time,
    number: T.String({ description: 'two digits that are also shown on the computer' }),
    proof: T.Boolean({ description: 'confirming requires the identity to be confirmed again' }),
  },
  { $id: 'ScanRequest' },
)
export type ScanRequest = Static<typeof ScanRequest>

const code = T.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'from the scanned address' })

/** Sign-in on a computer through a signed-in phone. A cookie that scripts cannot read identifies the computer. */
export const scanLogin = {
  begin: post('/token/scan/begin', {
    summary:
      'Create a code to show on a computer, for one sign-in of this browser within two minutes',
    access: 'public',
    reply: T.Object({
      url: T.String({ description: 'content of the code' }),
      number: T.String({ description: 'two digits for comparison' }),
      expiresAt: Time,
    }),
    errors: ['login.way_off', 'request.too_many', 'session.forbidden'],
  }),
  state: post('/token/scan/state', {
    summary: 'Get the state of the sign-in of this browser',
    access: 'public',
    reply: T.Object({ state: OneOf(scanStates) }),
  }),
  finish: post('/token/scan/finish', {
    summary: 'Sign this browser in, once, after confirmation on the phone',
    access: 'public',
    reply: SignIn,
    errors: ['scan_login.over', 'session.forbidden'],
  }),
  read: post('/portal-api/v1/scan-login', {
    summary:
      'Get the sign-in request of a scanned code; from then on only the caller can answer it',
    access: 'member',
    body: T.Object({ code }),
    reply: ScanRequest,
    errors: ['scan_login.over', 'scan_login.taken', 'request.too_many'],
  }),
  decide: post('/portal-api/v1/scan-login/decide', {
    summary:
      'Confirm or refuse the sign-in on the computer; only for the member who scanned the code',
    access: 'member',
    body: T.Object({ code, confirm: T.Boolean() }),
    reply: T.Null(),
    errors: ['scan_login.over', 'session.confirmation_due'],
  }),
}
