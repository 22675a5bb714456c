import { get, Nullable, OneOf, type Static, T } from './define.ts'

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
}
