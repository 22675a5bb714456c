import { get, Nullable, OneOf, post, type Static, T } from '../define.ts'
import { SentToken } from '../services/service-opening.ts'

export const WebAddress = T.Object(
  {
    kind: OneOf(['framed', 'leaving', 'refused']),
    url: T.String({
      description:
        'the address as it was understood: this one is opened, never the text that was asked about; empty when refused',
    }),
    host: T.String({
      description: 'host and port for a person to read; names in their own script',
    }),
    hostCode: T.String({
      description:
        'the same in ASCII where that differs (xn--…): letters of another script can look like Latin ones',
    }),
    framing: OneOf(['allowed', 'refused', 'unreachable', 'unknown']),
    service: Nullable(
      T.Object(
        { name: T.String(), nameEn: T.String() },
        { description: 'the registered service it belongs to, when the caller may use it' },
      ),
    ),
    signOn: T.Boolean({
      description: 'the site wants to be told who the member is: ask `open` for what to load',
    }),
  },
  { $id: 'WebAddress' },
)
export type WebAddress = Static<typeof WebAddress>

export const webview = {
  check: get('/portal-api/v1/webview/check', {
    summary:
      'How a web address opens: framed inside the app, after a page that says one is leaving, or not at all',
    access: 'guest',
    query: T.Object({ url: T.String({ maxLength: 2000 }) }),
    reply: WebAddress,
  }),
  open: post('/portal-api/v1/webview/open', {
    summary:
      'What to load for a page that wants to be told who the member is, as tokenAccept, authCollects and casArry say',
    access: 'member',
    body: T.Object({
      url: T.String({ maxLength: 2000 }),
      platformType: T.Optional(T.String({ maxLength: 20 })),
    }),
    reply: T.Object({
      url: T.String({ description: 'the address itself where nothing is to be told' }),
      framed: T.Boolean({ description: 'false: the central login stands before it' }),
      tokens: T.Array(SentToken, { description: 'for a host app to send along' }),
    }),
  }),
}
