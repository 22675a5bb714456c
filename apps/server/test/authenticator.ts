import { createHash, createSign, generateKeyPairSync, randomBytes } from 'node:crypto'

/** Encodes the CBOR subset that an authenticator writes: small integers, bytes, strings and maps (RFC 8949). */
function cbor(value: unknown): Buffer {
  const head = (major: number, length: number) =>
    length < 24
      ? Buffer.from([(major << 5) | length])
      : length < 256
        ? Buffer.from([(major << 5) | 24, length])
        : Buffer.from([(major << 5) | 25, length >> 8, length & 255])
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  const entries = [...(value as Map<unknown, unknown>)]
  return Buffer.concat([
    head(5, entries.length),
    ...entries.flatMap(([key, item]) => [cbor(key), cbor(item)]),
  ])
}

type Options = Record<string, unknown>
/** Deviations of an authenticator from correct behaviour. */
type Quirks = {
  origin?: string
  challenge?: string
  counter?: number
  unverified?: boolean
  userHandle?: string | null
  rpId?: string
  type?: string
}

/** An authenticator with one ES256 key, like a phone or a security key. */
export function authenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let handle = ''
  const jwk = publicKey.export({ format: 'jwk' })
  const cose = cbor(
    new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(jwk.x ?? '', 'base64url')],
      [-3, Buffer.from(jwk.y ?? '', 'base64url')],
    ]),
  )
  const clientData = (type: string, options: Options, quirks: Quirks) =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? options.challenge,
        origin: quirks.origin ?? origin,
        crossOrigin: false,
      }),
    )
  function authenticatorData(flags: number, quirks: Quirks, attested = Buffer.alloc(0)) {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(quirks.counter ?? ++counter)
    return Buffer.concat([
      createHash('sha256')
        .update(quirks.rpId ?? new URL(origin).hostname)
        .digest(),
      Buffer.from([quirks.unverified ? flags & ~0x04 : flags]),
      count,
      attested,
    ])
  }
  const credential = {
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key' as const,
    clientExtensionResults: {},
  }
  return {
    id: credential.id,
    /** Registers the key: the result of `navigator.credentials.create`. */
    create(options: Options, quirks: Quirks = {}) {
      handle = (options.user as { id: string }).id
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, cose])
      return {
        ...credential,
        response: {
          clientDataJSON: clientData('webauthn.create', options, quirks).toString('base64url'),
          attestationObject: cbor(
            new Map<string, unknown>([
              ['fmt', 'none'],
              ['attStmt', new Map()],
              ['authData', authenticatorData(0x45, quirks, attested)],
            ]),
          ).toString('base64url'),
          transports: ['internal'],
        },
      }
    },
    /** Signs a challenge: the result of `navigator.credentials.get`. */
    get(options: Options, quirks: Quirks = {}) {
      const client = clientData('webauthn.get', options, quirks)
      const data = authenticatorData(0x05, quirks)
      const signature = createSign('sha256')
        .update(Buffer.concat([data, createHash('sha256').update(client).digest()]))
        .sign(privateKey)
      const userHandle = quirks.userHandle === undefined ? handle : quirks.userHandle
      return {
        ...credential,
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle !== null && { userHandle }),
        },
      }
    },
  }
}
