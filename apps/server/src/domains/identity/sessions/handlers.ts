import type { sessions } from '@atrium/contract/identity/sessions'
import {
  clearCookie,
  readCookie,
  refreshCookie,
  setCookie,
} from '#domains/identity/browsers/cookies.ts'
import { describeDevice } from '#domains/identity/browsers/describe-device.ts'
import type { Device } from '#domains/identity/browsers/device.ts'
import { networkName } from '#domains/identity/browsers/network-name.ts'
import { senderOf } from '#domains/identity/browsers/same-origin.ts'
import { rotateRefreshToken } from '#domains/identity/identity/refresh-tokens.ts'
import { revokePerson } from '#domains/identity/identity/revoke-person.ts'
import { signIdToken } from '#domains/identity/identity/sessions.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { endSignInOf, listRecords, listSignIns } from './queries.ts'
import { mayBeForged } from './rules.ts'

/** Today and tomorrow; renewed with each contact with the server. */
const dayPackHours = 48

export const sessionHandlers: Handlers<typeof sessions> = {
  async refresh({ platform, request, reply }) {
    const sender = { ...senderOf(request), contentType: request.headers['content-type'] }
    if (mayBeForged(sender, platform.isOwnOrigin)) fail('session.forbidden')
    const refreshToken = readCookie(platform, request, refreshCookie)
    // Sessions of host-app tokens have no refresh token; the client is not signed out for that.
    if (!refreshToken) return fail('session.required')
    const renewal = await rotateRefreshToken(platform, refreshToken, request.ip)
    if (!renewal) {
      clearCookie(platform, reply, refreshCookie)
      return fail('session.expired')
    }
    setCookie(platform, reply, refreshCookie, renewal.token, renewal.secondsLeft)
    return signIdToken(platform, renewal.sessionId, renewal.accountId)
  },

  dayPack: async ({ platform, viewer }) => ({
    // Derived from the session: an ended session cannot obtain it, and no other session has the same.
    secret: platform.secret.sign('day-pack', viewer.sessionId),
    until: new Date(Date.now() + dayPackHours * 3_600_000).toISOString(),
  }),

  list: ({ db, platform, viewer }) =>
    signedInDevices(platform, listSignIns(db, viewer.personId), viewer.sessionId),

  async remove({ db, platform, viewer, params }) {
    const ended = await db
      .transaction()
      .execute((db) => endSignInOf(db, viewer.personId, params.id, 'member'))
    if (ended.length === 0) fail('session.not_found')
    for (const id of ended) platform.guard.forgetSession(id)
    return null
  },

  async removeOthers({ db, viewer }) {
    const ended = await db
      .transaction()
      .execute((db) =>
        revokePerson(db, viewer.personId, { reason: 'member', except: viewer.sessionId }),
      )
    return { ended }
  },

  async log({ db, platform, viewer, query }) {
    const { rows, ...page } = await listRecords(db, viewer.personId, query)
    return { list: await withPlaces(platform, rows), ...page }
  },
}

/** Devices for the person or an operator. `current` marks the calling session. */
export async function signedInDevices(
  platform: Platform,
  listing: ReturnType<typeof listSignIns>,
  current?: string,
) {
  const rows = (await listing).map(({ sessionIds, ...row }) => ({
    ...row,
    current: current !== undefined && sessionIds.includes(current),
  }))
  return withPlaces(platform, rows)
}

async function withPlaces<Row extends { device: Device; address: string }>(
  platform: Platform,
  rows: Row[],
) {
  const { addressPlaces } = await currentSettings(platform)
  return rows.map((row) => ({
    ...row,
    device: describeDevice(row.device),
    place: networkName(addressPlaces, row.address),
  }))
}
