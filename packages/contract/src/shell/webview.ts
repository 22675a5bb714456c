import { get, Nullable, OneOf, post, type Static, T } from '../define.ts'
import { SentToken } from '../services/service-opening.ts'

export const WebAddress = T.Object(
  {
    kind: OneOf(['framed', 'leaving', 'refused']),
    url: T.String({
      description: 'normalised address to open instead of the given text; empty: refused',
    }),
    host: T.String({
      description: 'host and port in readable form, international names decoded',
    }),
    hostCode: T.String({
      description:
        'host and port in ASCII (xn--…) if different, because letters of other scripts can look like Latin ones',
    }),
    framing: OneOf(['allowed', 'refused', 'unreachable', 'unknown']),
    service: Nullable(
      T.Object(
        { name: T.String(), nameEn: T.String() },
        { description: 'registered service it belongs to, if the caller may use it' },
      ),
    ),
    signOn: T.Boolean({
      description: "the site expects the member's identity: call `open` for the address to load",
    }),
  },
  { $id: 'WebAddress' },
)
export type WebAddress = Static<typeof WebAddress>

export const webview = {
  check: get('/portal-api/v1/webview/check', {
    summary: 'Check how a web address opens: inside the app, after a warning, or not at all',
    access: 'guest',
    query: T.Object({ url: T.String({ maxLength: 2000 }) }),
    reply: WebAddress,
  }),
  open: post('/portal-api/v1/webview/open', {
    summary:
      "Get the address and tokens for a page that expects the member's identity, according to tokenAccept, authCollects and casArry",
    access: 'member',
    body: T.Object({
      url: T.String({ maxLength: 2000 }),
      platformType: T.Optional(T.String({ maxLength: 20 })),
    }),
    reply: T.Object({
      url: T.String({ description: 'the unchanged address if no identity is passed' }),
      framed: T.Boolean({ description: 'false: the central login comes first' }),
      tokens: T.Array(SentToken, { description: 'tokens for a host app to attach to its request' }),
    }),
  }),
}
