import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDataFolder } from '#platform/storage/data-folder.ts'

/** Encrypts values that the database must not be able to read, and signs values that leave the server and come back. */
export type Secret = {
  encrypt: (text: string) => string
  /** The decrypted text, or undefined if it was encrypted with another secret. */
  decrypt: (sealed: string) => string | undefined
  /** base64url, 32 characters. `purpose` prevents a signature from being used for something else. */
  sign: (purpose: string, text: string) => string
  verify: (purpose: string, text: string, signature: string) => boolean
}

/** The secret from the environment, or from the data folder, where it is created on first use. */
export function readSecret(fromEnvironment: string | undefined, dataDir: string): string {
  if (fromEnvironment) return fromEnvironment
  const file = secretFile(dataDir)
  if (!existsSync(file)) {
    makeDataFolder(dataDir)
    writeFileSync(file, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx' })
  }
  return readFileSync(file, 'utf8').trim()
}
export const secretFile = (dataDir: string) => path.join(dataDir, 'secret')

/** Compares in constant time. */
export const isSameSecret = (given: string, wanted: string) =>
  timingSafeEqual(digest(given), digest(wanted))
const digest = (text: string) => createHash('sha256').update(text).digest()

export function openSecret(secret: string): Secret {
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'atrium', purpose, 32))
  const sealing = derive('seal')
  const signing = derive('sign')
  const sign = (purpose: string, text: string) =>
    createHmac('sha256', signing).update(`${purpose}\n${text}`).digest('base64url').slice(0, 32)
  // A call for random bytes costs as much as encrypting: get many IVs at a time and use each once.
  let random = Buffer.alloc(0)
  const freshIv = () => {
    if (random.length === 0) random = randomBytes(12 * 200)
    const iv = random.subarray(0, 12)
    random = random.subarray(12)
    return iv
  }
  return {
    encrypt(text) {
      const iv = freshIv()
      const cipher = createCipheriv('aes-256-gcm', sealing, iv)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
    },
    decrypt(sealed) {
      try {
        const bytes = Buffer.from(sealed, 'base64url')
        const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12))
        decipher.setAuthTag(bytes.subarray(12, 28))
        return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString(
          'utf8',
        )
      } catch {
        return undefined
      }
    },
    sign,
    verify(purpose, text, signature) {
      return isSameSecret(signature, sign(purpose, text))
    },
  }
}
