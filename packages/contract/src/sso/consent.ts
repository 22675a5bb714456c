import { del, get, Id, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'
import { PartyCode, releasables } from './registry.ts'

const Attributes = T.Array(OneOf(releasables), { maxItems: releasables.length })

/** What one service knows about the caller, since when, and on what basis. */
export const Authorization = T.Object(
  {
    code: PartyCode,
    name: T.String(),
    nameEn: T.String(),
    serviceId: Nullable(Id),
    purpose: T.String(),
    purposeEn: T.String(),
    /** `institution`: released without the member's consent */
    state: OneOf(['agreed', 'withdrawn', 'institution']),
    agreedAt: Nullable(Time),
    lastAt: Nullable(Time),
    released: T.Array(
      T.Object({
        attribute: OneOf(['username', ...releasables]),
        firstAt: Time,
        lastAt: Time,
        count: T.Integer(),
      }),
      { description: 'attributes released to it, and how often' },
    ),
  },
  { $id: 'Authorization' },
)
export type Authorization = Static<typeof Authorization>

export const AuthorizationState = T.Object(
  {
    authorized: T.Boolean({ description: 'no consent needed' }),
    code: PartyCode,
    name: T.String(),
    nameEn: T.String(),
    purpose: T.String(),
    purposeEn: T.String(),
    attributes: T.Array(OneOf(releasables), {
      description: 'attributes released besides the username',
    }),
  },
  { $id: 'AuthorizationState' },
)
export type AuthorizationState = Static<typeof AuthorizationState>

const base = '/personal/api/v1/personal/authorization'

/**
 * Consent of members to releasing data to services. Host apps use it for `sysInfoAuthorizeGetState` and
 * `sysInfoAuthorize`.
 */
export const consent = {
  list: get(base, {
    summary: 'List the services that received data of the caller, latest first',
    access: 'member',
    reply: T.Array(Authorization),
  }),
  state: get(`${base}/state`, {
    summary:
      "Get whether a service of the catalogue needs the caller's consent, and which data it receives",
    access: 'member',
    query: T.Object({ serviceId: Id }),
    reply: AuthorizationState,
    errors: ['consent.service_unknown'],
  }),
  agree: post(base, {
    summary: 'Consent to releasing the given attributes to a service',
    access: 'member',
    body: T.Object({
      serviceId: Id,
      attributes: Attributes,
    }),
    reply: AuthorizationState,
    errors: ['consent.service_unknown', 'consent.changed'],
  }),
  revoke: del(`${base}/{code}`, {
    summary:
      'Withdraw a consent; the sessions at the service end, and it must be given again next time',
    access: 'member',
    params: T.Object({ code: PartyCode }),
    reply: T.Null(),
    errors: ['consent.not_found'],
  }),
  jumpToken: post('/portal-api/v1/service/jumpToken', {
    summary: 'Create a token for one registered service, valid for two minutes',
    access: 'member',
    body: T.Object({
      url: T.String({
        maxLength: 2000,
        description: 'address at which the service will be opened',
      }),
    }),
    reply: T.Object({
      token: T.String({ description: 'ES256 JWT of type at+jwt; verify it with /token/jwt/jwks' }),
      expiresAt: Time,
      audience: T.String(),
      url: T.String({ description: 'normalised address the token may be sent to' }),
    }),
    errors: ['consent.service_unknown', 'consent.due'],
  }),
}
