import { get, OneOf, type Static, T } from '../define.ts'

/** An empty text is valid; it resolves to nothing. */
const text = T.Optional(T.String({ maxLength: 4000, default: '' }))

export const scanKinds = [
  'screen',
  'service',
  'address',
  'leaving',
  'place',
  'book',
  'card',
  'known',
  'text',
] as const

export const ScanInfo = T.Object(
  {
    kind: OneOf(scanKinds),
    href: T.String({
      description: 'path of the portal, or an https address; empty: nothing to open',
    }),
    host: T.String({ description: 'host of an address, in readable form' }),
    title: T.String({ description: 'what was recognised; empty: plain text' }),
    titleEn: T.String(),
    note: T.String(),
    noteEn: T.String(),
    facts: T.Array(T.Object({ label: T.String(), value: T.String() })),
  },
  { $id: 'ScanInfo' },
)
export type ScanInfo = Static<typeof ScanInfo>

export const scan = {
  info: get('/portal-api/v1/personalData/getScanInfo', {
    summary:
      'Resolve a scanned text: a screen, a service, a place, a book, a card code, or the answer of another system',
    access: 'guest',
    query: T.Object({ text }),
    reply: ScanInfo,
  }),
  preProcess: get('/portal-api/v1/thrid-adapter/pre-process-scan-url', {
    summary: 'Resolve a scanned address before opening it, without requesting it',
    access: 'guest',
    query: T.Object({ url: text }),
    reply: ScanInfo,
  }),
}
