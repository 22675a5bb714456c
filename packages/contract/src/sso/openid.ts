import { get, OneOf, post, T } from '../define.ts'

const params = T.Object({ uid: T.String({ maxLength: 100 }) })

/**
 * Interaction pages shown to a member while another system signs them in by OpenID Connect. The protocol's own
 * endpoints are below /cas/oidc and are described at /cas/oidc/.well-known/openid-configuration.
 */
export const openid = {
  ask: get('/cas/oidc/interaction/{uid}', {
    summary: 'Show the sign-in or consent page of an OpenID Connect request',
    access: 'public',
    params,
    media: 'text/html',
    reply: T.String(),
  }),
  answer: post('/cas/oidc/interaction/{uid}', {
    summary: "Submit the member's decision",
    access: 'public',
    params,
    body: T.Object({
      lt: T.Optional(T.String({ maxLength: 400 })),
      decision: T.Optional(T.String({ maxLength: 10 })),
      lang: T.Optional(OneOf(['zh', 'en'])),
    }),
    media: 'text/html',
    reply: T.String(),
  }),
}
