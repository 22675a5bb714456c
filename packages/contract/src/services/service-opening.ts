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
        'path of the portal for route and guide, otherwise a full address; empty for consent and outage',
    }),
    title: T.String(),
    titleEn: T.String(),
    tokens: T.Array(SentToken, {
      description:
        'tokens for a host app to attach to its request; tokens in the address are already in `url`',
    }),
    needsVpn: T.Boolean(),
    closeGuide: T.Boolean({ description: 'no guide is shown before the service' }),
    miniProgram: Nullable(MiniProgram),
    consent: Nullable(AuthorizationState),
    outage: T.Optional(Outage),
  },
  { $id: 'Launch' },
)
export type Launch = Static<typeof Launch>

export const serviceOpening = {
  launch: post('/portal-api/v1/service/launch', {
    summary: 'Get how and where to open a service; records the use by members',
    access: 'guest',
    body: T.Object({
      ...serviceId,
      ...onTerminal,
      closeGuide: T.Optional(
        T.Boolean({ description: 'the guide was read; open the service itself' }),
      ),
      anyway: T.Optional(
        T.Boolean({ description: 'open the service although it is out of service' }),
      ),
    }),
    reply: Launch,
    errors: ['service.not_found', 'service.unavailable'],
  }),
}
