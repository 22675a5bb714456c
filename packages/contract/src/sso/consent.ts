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
      { description: 'what it was told, and how often' },
    ),
  },
  { $id: 'Authorization' },
)
export type Authorization = Static<typeof Authorization>

export const AuthorizationState = T.Object(
  {
    authorized: T.Boolean({ description: 'nothing more is to be asked' }),
    code: PartyCode,
    name: T.String(),
    nameEn: T.String(),
    purpose: T.String(),
    purposeEn: T.String(),
    attributes: T.Array(OneOf(releasables), {
      description: 'what it is told besides the username',
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
    summary: 'Services that were told something of the caller, the latest first',
    access: 'member',
    reply: T.Array(Authorization),
  }),
  state: get(`${base}/state`, {
    summary: 'Whether a service of the catalogue still has to be agreed to, and what it is told',
    access: 'member',
    query: T.Object({ serviceId: Id }),
    reply: AuthorizationState,
    errors: ['consent.service_unknown'],
  }),
  agree: post(base, {
    summary: 'The caller agrees to what they were shown',
    access: 'member',
    body: T.Object({
      serviceId: Id,
      attributes: Attributes,
    }),
    reply: AuthorizationState,
    errors: ['consent.service_unknown', 'consent.changed'],
  }),
  revoke: del(`${base}/{code}`, {
    summary: 'Takes back what was agreed; the sessions there end, and it is asked again next time',
    access: 'member',
    params: T.Object({ code: PartyCode }),
    reply: T.Null(),
    errors: ['consent.not_found'],
  }),
  jumpToken: post('/portal-api/v1/service/jumpToken', {
    summary: 'A token for one registered service alone, good for two minutes',
    access: 'member',
    body: T.Object({
      url: T.String({ maxLength: 2000, description: 'where the service is about to be opened' }),
    }),
    reply: T.Object({
      token: T.String({ description: 'ES256 JWT of type at+jwt; verified by /token/jwt/jwks' }),
      expiresAt: Time,
      audience: T.String(),
      url: T.String({ description: 'the address it may be given to, as it was understood' }),
    }),
    errors: ['consent.service_unknown', 'consent.due'],
  }),
}
