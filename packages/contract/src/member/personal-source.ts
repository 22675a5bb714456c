import { OneOf, type Static, T } from '../define.ts'
import { Mapped } from '../work/task-connector.ts'

/** Kinds of member data that other systems of the institution provide. */
export const personalKinds = ['ecard', 'books', 'mailbox', 'research', 'info'] as const
export type PersonalKind = (typeof personalKinds)[number]
/** `scan` resolves codes unknown to the portal; it is called with the code, and the answer is not stored. */
export const sourceKinds = [...personalKinds, 'scan'] as const
export type SourceKind = (typeof sourceKinds)[number]

const pointer = T.String({
  maxLength: 300,
  pattern: '^(/([^/~]|~[01])*)*$',
  description: 'a JSON Pointer (RFC 6901)',
})
/** The host is literal; `{/number}`, `{/username}` and `{/code}` are substituted after it. */
const address = (description: string) =>
  T.String({ maxLength: 1000, pattern: '^https?://[^/?#{}@\\s]+([/?][^\\s]*)?$', description })
const texts = () => T.Record(T.String(), T.String({ maxLength: 500 }), { default: {} })
const name = T.String({ minLength: 1, maxLength: 60 })
const host = T.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9.:-]+$' })
const port = T.Integer({ minimum: 1, maximum: 65535 })
const identifier = T.String({
  maxLength: 130,
  pattern: '^[A-Za-z_][A-Za-z0-9_$]{0,62}(\\.[A-Za-z_][A-Za-z0-9_$]{0,62})?$',
  description: 'a view, optionally with schema',
})
const column = T.String({ maxLength: 63, pattern: '^[A-Za-z_][A-Za-z0-9_$]{0,62}$' })

const ca = T.Optional(
  T.String({ maxLength: 20_000, description: 'PEM: CA certificate of the server' }),
)

const ask = { address: address('queried with GET'), query: texts(), headers: texts() }
const mappedFields = T.Record(T.String(), Mapped)
const columns = T.Record(T.String(), column)

const HttpWay = T.Object({
  ...ask,
  authentication: T.Object(
    {
      kind: OneOf(['none', 'bearer', 'basic', 'header', 'client-credentials'], { default: 'none' }),
      username: T.Optional(T.String({ maxLength: 200 })),
      header: T.Optional(name),
      tokenAddress: T.Optional(address('client-credentials: token endpoint')),
      clientId: T.Optional(T.String({ maxLength: 200 })),
      sendSecretIn: T.Optional(OneOf(['header', 'body'])),
      scope: T.Optional(T.String({ maxLength: 500 })),
      resource: T.Optional(T.String({ maxLength: 500 })),
    },
    { default: {} },
  ),
  owner: Mapped,
  fields: T.Record(T.String(), Mapped, { default: {} }),
  lists: T.Record(
    T.String(),
    T.Object({
      ask: T.Optional(T.Object(ask)),
      owner: T.Optional(Mapped),
      items: pointer,
      fields: mappedFields,
    }),
    { default: {} },
  ),
  actions: T.Optional(
    T.Record(
      T.String(),
      T.Object({ address: address('receives the requested action as a signed POST') }),
      { description: 'possible actions: freeze, unfreeze, renew' },
    ),
  ),
})
const SqlWay = T.Object({
  system: OneOf(['postgresql', 'mysql']),
  host,
  port,
  database: name,
  username: name,
  encryption: OneOf(['required', 'none'], { default: 'required' }),
  ca,
  view: T.Optional(identifier),
  owner: T.Optional(column),
  columns: T.Record(T.String(), column, { default: {} }),
  lists: T.Record(
    T.String(),
    T.Object({ view: identifier, owner: column, columns, newest: T.Optional(column) }),
    { default: {} },
  ),
})
const ImapWay = T.Object({
  host,
  port,
  encryption: OneOf(['tls', 'starttls', 'none'], { default: 'tls' }),
  ca,
  login: T.String({
    maxLength: 200,
    description: 'login name; {/username}, {/number} and {/email} are replaced',
  }),
  actAs: T.Optional(
    T.String({
      maxLength: 200,
      description: 'owner of the mailbox (authorization identity of SASL PLAIN, RFC 4616)',
    }),
  ),
  address: T.String({
    maxLength: 200,
    default: '{/email}',
    description: 'mail address shown to the member',
  }),
})

/** How a system is queried about one member. */
export const PersonalConnector = T.Object(
  {
    keepMinutes: T.Integer({
      minimum: 1,
      maximum: 1440,
      default: 10,
      description:
        'minutes for which data is cached; older data is fetched again when the member views it',
    }),
    timeoutSeconds: T.Integer({ minimum: 1, maximum: 20, default: 5 }),
    moneyIn: OneOf(['yuan', 'fen'], { default: 'yuan' }),
    by: OneOf(['number', 'username'], { default: 'number' }),
    way: OneOf(['http', 'sql', 'imap', 'import']),
    http: T.Optional(HttpWay),
    sql: T.Optional(SqlWay),
    imap: T.Optional(ImapWay),
  },
  { $id: 'PersonalConnector' },
)
export type PersonalConnector = Static<typeof PersonalConnector>
export type HttpWay = Static<typeof HttpWay>
export type SqlWay = Static<typeof SqlWay>
export type ImapWay = Static<typeof ImapWay>
