import { randomBytes, randomInt } from 'node:crypto'
import type { scanLogin } from '@atrium/contract/identity/scan-login'
import { scanSeconds } from '@atrium/contract/identity/scan-login'
import type { FastifyRequest } from 'fastify'
import { clearCookie, readCookie, setCookie } from '#domains/identity/browsers/cookies.ts'
import { describeDevice } from '#domains/identity/browsers/describe-device.ts'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { networkName } from '#domains/identity/browsers/network-name.ts'
import { requireSameOrigin } from '#domains/identity/browsers/same-origin.ts'
import { requireConfirmation } from '#domains/identity/identity/confirmation.ts'
import { hashSecret } from '#domains/identity/identity/queries.ts'
import { beginSignIn } from '#domains/identity/identity/sign-in.ts'
import { callerNetwork } from '#platform/http/caller-network.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import {
  assignScan,
  consumeConfirmedScan,
  countRecent,
  decideScan,
  findState,
  insertScan,
} from './queries.ts'

/**
 * Codes per network within ten minutes: enough for a computer room behind one address, but not for a page that requests
 * codes endlessly.
 */
const maxPerNetwork = 60
/** Strict: sent by our own pages only; httpOnly. */
const browserCookie = { name: 'SL-atrium', path: '/token/scan', sameSite: 'strict' } as const
const confirmPath = '/pages/login/scanConfirm'

const policyOf = async (platform: Platform) => (await currentSettings(platform)).scanLogin

/** Hash of the browser's cookie, if present. */
function browserOf(platform: Platform, request: FastifyRequest) {
  const secret = readCookie(platform, request, browserCookie)
  return secret === undefined ? undefined : hashSecret(secret)
}

export const scanLoginHandlers: Handlers<typeof scanLogin> = {
  async begin({ platform, db, request, reply }) {
    requireSameOrigin(platform, request)
    if ((await policyOf(platform)) === '0') fail('login.way_off')
    const network = callerNetwork(request.ip)
    if ((await countRecent(db, network)) >= maxPerNetwork)
      fail('request.too_many', { retryAfter: 600 })
    const [code, secret] = [0, 0].map(() => randomBytes(32).toString('base64url')) as [
      string,
      string,
    ]
    const number = String(randomInt(10, 100))
    const { expiresAt } = await insertScan(db, {
      codeHash: hashSecret(code),
      browserHash: hashSecret(secret),
      number,
      device: deviceOf(request),
      address: request.ip,
      network,
    })
    setCookie(platform, reply, browserCookie, secret, scanSeconds)
    return { url: `${platform.origin()}${confirmPath}?code=${code}`, number, expiresAt }
  },

  async state({ platform, db, request }) {
    const browser = browserOf(platform, request)
    const scan = browser && (await findState(db, browser))
    return { state: !scan || scan.state === 'used' ? 'over' : scan.state }
  },

  async finish({ platform, db, request, reply }) {
    requireSameOrigin(platform, request)
    const browser = browserOf(platform, request)
    const used = browser && (await consumeConfirmedScan(db, browser))
    if (!used || used.accountId === null) return fail('scan_login.over')
    clearCookie(platform, reply, browserCookie)
    const { accountId, strong } = used
    const account = await db
      .selectFrom('account')
      .select('person_id as personId')
      .where('id', '=', accountId)
      .where('status', '=', 'active')
      .executeTakeFirst()
    if (!account) return fail('scan_login.over')
    const { personId } = account
    return beginSignIn(platform, request, reply, { way: 'scan', personId, accountId, strong })
  },

  async read({ platform, viewer, request, body: { code } }) {
    const policy = await policyOf(platform)
    const scan = await platform.db
      .transaction()
      .execute((db) => assignScan(db, hashSecret(code), viewer.accountId))
    if (scan === 'over' || policy === '0') return fail('scan_login.over')
    if (scan === 'taken') return fail('scan_login.taken')
    const { device, address, startedAt, number } = scan
    const { addressPlaces } = await currentSettings(platform)
    return {
      device: describeDevice(device),
      address,
      place: networkName(addressPlaces, address),
      sameNetwork: address === request.ip,
      startedAt,
      number,
      proof: policy === '2',
    }
  },

  async decide({ platform, db, viewer, body: { code, confirm } }) {
    // With this policy the phone confirms all factors, which counts for the computer too.
    const strong = (await policyOf(platform)) === '2'
    if (confirm && strong) await requireConfirmation(db, viewer)
    const { accountId } = viewer
    if (!(await decideScan(db, hashSecret(code), { accountId, confirm, strong })))
      fail('scan_login.over')
    return null
  },
}
