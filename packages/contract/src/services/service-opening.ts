import { Nullable, OneOf, post, type Static, T, Time } from '../define.ts'
import { AuthorizationState } from '../sso/consent.ts'
import { Outage } from './health.ts'
import { MiniProgram, onTerminal, serviceId } from './services.ts'

/** A token that a host app attaches to its own request. */
export const SentToken = T.Object({
  type: OneOf(['header', 'cookie']),
  key: T.String(),
  value: T.String(),
  expiresAt: Time,
})

export const Launch = T.Object(
  {
    how: OneOf([
      'route',
      'webview',
      'browser',
      'viewer',
      'miniProgram',
      'news',
      'guide',
      'consent',
      'outage',
    ]),
    url: T.String({
      description:
        'an internal address for route and guide, else a full one; empty for consent and outage',
    }),
    title: T.String(),
    titleEn: T.String(),
    tokens: T.Array(SentToken, {
      description: 'for a host app to send along; tokens in the address are in `url` already',
    }),
    needsVpn: T.Boolean(),
    closeGuide: T.Boolean({ description: 'no guide stood or stands before it' }),
    miniProgram: Nullable(MiniProgram),
    consent: Nullable(AuthorizationState),
    outage: T.Optional(Outage),
  },
  { $id: 'Launch' },
)
export type Launch = Static<typeof Launch>

export const serviceOpening = {
  launch: post('/portal-api/v1/service/launch', {
    summary: 'How and where to open a service; records the use of a member',
    access: 'guest',
    body: T.Object({
      ...serviceId,
      ...onTerminal,
      closeGuide: T.Optional(
        T.Boolean({ description: 'the guide was read: the service itself is wanted' }),
      ),
      anyway: T.Optional(
        T.Boolean({ description: 'the member knows that it is out of service, and tries' }),
      ),
    }),
    reply: Launch,
    errors: ['service.not_found', 'service.unavailable'],
  }),
}
