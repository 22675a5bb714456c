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
    place: T.String({ description: 'what operators call that network; empty: another network' }),
    sameNetwork: T.Boolean({ description: 'the phone has the same address' }),
    startedAt: Time,
    number: T.String({ description: 'two digits that the computer shows too' }),
    proof: T.Boolean({ description: 'confirming wants a fresh proof of who it is' }),
  },
  { $id: 'ScanRequest' },
)
export type ScanRequest = Static<typeof ScanRequest>

const code = T.String({ pattern: '^[A-Za-z0-9_-]{43}$', description: 'out of the scanned address' })

/** Sign-in on a computer through a signed-in phone. A cookie that scripts cannot read identifies the computer. */
export const scanLogin = {
  begin: post('/token/scan/begin', {
    summary: 'A code to show on a computer, for one sign-in of this browser within two minutes',
    access: 'public',
    reply: T.Object({
      url: T.String({ description: 'what the code says' }),
      number: T.String({ description: 'two digits to compare' }),
      expiresAt: Time,
    }),
    errors: ['login.way_off', 'request.too_many', 'session.forbidden'],
  }),
  state: post('/token/scan/state', {
    summary: 'How far the sign-in of this browser has come',
    access: 'public',
    reply: T.Object({ state: OneOf(scanStates) }),
  }),
  finish: post('/token/scan/finish', {
    summary: 'Signs this browser in, once, after the phone has confirmed it',
    access: 'public',
    reply: SignIn,
    errors: ['scan_login.over', 'session.forbidden'],
  }),
  read: post('/portal-api/v1/scan-login', {
    summary: 'Who asks with a scanned code; from now on nobody else can answer it',
    access: 'member',
    body: T.Object({ code }),
    reply: ScanRequest,
    errors: ['scan_login.over', 'scan_login.taken', 'request.too_many'],
  }),
  decide: post('/portal-api/v1/scan-login/decide', {
    summary: 'Confirms the sign-in on the computer, or refuses it; by whoever has scanned its code',
    access: 'member',
    body: T.Object({ code, confirm: T.Boolean() }),
    reply: T.Null(),
    errors: ['scan_login.over', 'session.confirmation_due'],
  }),
}
