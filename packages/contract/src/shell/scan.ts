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
      description: 'a screen of ours, or an https address; empty: it leads nowhere',
    }),
    host: T.String({ description: 'of an address, for a person to read' }),
    title: T.String({ description: 'what it is; empty: only what it says' }),
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
      'What a scanned text is: a screen, a service, a place, a book, a code of a card, or what a system of the institution says',
    access: 'guest',
    query: T.Object({ text }),
    reply: ScanInfo,
  }),
  preProcess: get('/portal-api/v1/thrid-adapter/pre-process-scan-url', {
    summary: 'Where a scanned address leads, before it is opened. Nobody is asked for it',
    access: 'guest',
    query: T.Object({ url: text }),
    reply: ScanInfo,
  }),
}
