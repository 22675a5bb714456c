import { createHash, randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { accessSync, constants, mkdirSync, statfsSync } from 'node:fs'
import path from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { openMailbox } from '#domains/work/invitations/read-replies.ts'
import { mailBySmtp } from '#platform/delivery/mail.ts'
import type { Environment } from '#platform/environment.ts'
import { clamdAddress, pingClamd } from '#platform/storage/clamd.ts'
import { openStorage } from '#platform/storage/open-storage.ts'
import { checkTimeoutMs, type Finding, failed, ok, warning } from './finding.ts'

const enough = { warn: 2000, fail: 300 }

export function checkDataFolder({ ATRIUM_DATA_DIR: folder }: Environment): Finding[] {
  return [folder, path.join(folder, 'files')].map((place) => {
    try {
      mkdirSync(place, { recursive: true })
      accessSync(place, constants.W_OK)
    } catch (error) {
      return failed(
        `${place} cannot be written (${(error as NodeJS.ErrnoException).code}); give this user write permission, or choose another folder with ATRIUM_DATA_DIR`,
      )
    }
    const { bavail, bsize } = statfsSync(place)
    const free = Math.floor((bavail * bsize) / 1e6)
    const says = `${place} can be written, ${free.toLocaleString('en')} MB are free`
    if (free < enough.fail) return failed(`${says}: too little to run; free some space`)
    return free < enough.warn ? warning(`${says}: little; free some space`) : ok(says)
  })
}

export function checkAddress({
  ATRIUM_PUBLIC_URL: url,
  ATRIUM_TRUST_PROXY: proxy,
  ATRIUM_DEMO: demo,
  HOST,
}: Environment): Finding {
  const inside = HOST === '127.0.0.1' || HOST === '::1' || HOST === 'localhost'
  if (!url)
    return demo || inside
      ? ok('only this machine uses it')
      : warning(
          'ATRIUM_PUBLIC_URL is not set: sign-in works on this machine only; set it to the address members use',
        )
  if (new URL(url).protocol !== 'https:')
    return warning(
      `${url} is not encrypted; members’ phones refuse camera, location and installation. Put a proxy with https in front of the server`,
    )
  return proxy
    ? ok(url)
    : warning(
        `${url} needs a proxy in front of the server, and ATRIUM_TRUST_PROXY does not name it: every member has the proxy’s address and shares its limits`,
      )
}

/** Whether the public host name resolves and its certificate is trusted. */
export async function checkCertificate({ ATRIUM_PUBLIC_URL }: Environment): Promise<Finding[]> {
  const { hostname, port, protocol } = new URL(ATRIUM_PUBLIC_URL ?? '')
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  try {
    await lookup(host)
  } catch {
    return [failed(`${host} does not resolve: members cannot reach it. Add it to the DNS`)]
  }
  if (protocol !== 'https:') return [ok(`${host} resolves`)]
  let socket: TLSSocket
  try {
    socket = await openTls(host, Number(port || 443))
  } catch (error) {
    return [
      ok(`${host} resolves`),
      warning(
        `${host} cannot be reached from here (${(error as Error).message}), so its certificate was not checked`,
      ),
    ]
  }
  const { valid_to: end } = socket.getPeerCertificate()
  const { authorized, authorizationError: issue } = socket
  socket.destroy()
  const days = Math.floor((Date.parse(end) - Date.now()) / 86_400_000)
  if (days < 0) return [failed(`the certificate of ${host} expired on ${end}; renew it`)]
  if (!authorized)
    return [
      failed(
        `the certificate of ${host} is not trusted (${issue}). Let the proxy send the whole chain; if your own CA signs it, set NODE_EXTRA_CA_CERTS`,
      ),
    ]
  const says = `the certificate of ${host} is trusted for ${days} more days`
  return [days < 14 ? warning(`${says}; renew it now`) : ok(says)]
}

function openTls(host: string, port: number) {
  return new Promise<TLSSocket>((resolve, reject) => {
    // The caller reports an invalid certificate.
    const socket = connect({ host, port, servername: host, rejectUnauthorized: false }, () =>
      resolve(socket),
    )
    socket.setTimeout(checkTimeoutMs, () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
  })
}

export async function checkRedis(url: string): Promise<Finding> {
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 5000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return ok('answers')
  } catch (error) {
    return failed(
      `REDIS_URL cannot be reached (${(error as Error).message}); start Redis, or unset the variable: each node then counts on its own`,
    )
  } finally {
    redis.disconnect()
  }
}

export async function checkMail(env: Environment): Promise<Finding> {
  const mail = mailBySmtp(env)
  try {
    await mail.verify()
    return ok('the mail server answers, and accepts mail from us')
  } catch (error) {
    return failed(`ATRIUM_MAIL_URL: ${(error as Error).message}`)
  } finally {
    mail.close()
  }
}

export async function checkReplies(env: Environment): Promise<Finding> {
  try {
    const client = await openMailbox(env)
    client.close()
    return ok('the mailbox for answers to invitations can be opened')
  } catch (error) {
    const { message, responseText } = error as Error & { responseText?: string }
    return failed(`ATRIUM_MAIL_REPLIES: ${responseText ?? message}`)
  }
}

/** Writes, reads and removes a small object, like an upload. */
export async function checkBucket(env: Environment): Promise<Finding> {
  const storage = await openStorage(env)
  const bytes = randomBytes(32)
  const key = createHash('sha256').update(bytes).digest('hex')
  try {
    await storage.put(key, bytes, bytes.length)
    const size = await storage.size(key)
    await storage.remove(key)
    return size === bytes.length
      ? ok(`${storage.place} can be written and read`)
      : failed(`${storage.place} does not return what was written`)
  } catch (error) {
    const { name, message } = error as Error
    return failed(
      `${storage.place} cannot be used (${name}: ${message}); check ATRIUM_S3_ENDPOINT and the permissions of its key`,
    )
  }
}

export async function checkClamd({ ATRIUM_CLAMD }: Environment): Promise<Finding> {
  const address = clamdAddress(ATRIUM_CLAMD ?? '')
  if (!address) return failed('ATRIUM_CLAMD contains no address')
  try {
    await pingClamd(address, checkTimeoutMs)
    return ok('clamd answers')
  } catch (error) {
    return failed(
      `clamd does not answer (${(error as Error).message}); until it does, uploads are refused or held (ATRIUM_CLAMD_DOWN)`,
    )
  }
}
