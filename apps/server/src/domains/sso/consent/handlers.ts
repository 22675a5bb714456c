import type { consent } from '@atrium/contract/sso/consent'
import { releasables } from '@atrium/contract/sso/registry'
import { findPartyAt, findPartyOfService, type Party } from '#domains/sso/registry/parties.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { authorizationStateOf, issueJumpToken } from './jump.ts'
import {
  deleteConsent,
  findPartyId,
  insertConsent,
  listReceipts,
  mayUseService,
} from './queries.ts'

export const consentHandlers: Handlers<typeof consent> = {
  async list({ db, viewer }) {
    const receipts = await listReceipts(db, viewer.accountId)
    return receipts.map(({ consentNeeded, ...receipt }) => ({
      ...receipt,
      released: receipt.released.toSorted((a, b) => placeOf(a.attribute) - placeOf(b.attribute)),
      state: receipt.agreedAt ? 'agreed' : consentNeeded ? 'withdrawn' : 'institution',
    }))
  },

  async state({ platform, viewer, query }) {
    const party = await getParty(platform, viewer, query.serviceId)
    return authorizationStateOf(platform.db, viewer, party)
  },

  async agree({ platform, viewer, body }) {
    const party = await getParty(platform, viewer, body.serviceId)
    const shown = new Set(body.attributes)
    // The attributes shown must equal those to be released.
    if (shown.size !== party.attributes.length || party.attributes.some((one) => !shown.has(one)))
      fail('consent.changed')
    await insertConsent(platform.db, party, viewer.accountId)
    return authorizationStateOf(platform.db, viewer, party)
  },

  async revoke({ platform, viewer, params }) {
    await platform.db.transaction().execute(async (db) => {
      const { id } = (await findPartyId(db, params.code)) ?? fail('consent.not_found')
      if (!(await deleteConsent(db, viewer.accountId, id))) fail('consent.not_found')
    })
    return null
  },

  async jumpToken({ db, platform, viewer, body }) {
    const found = await findPartyAt(platform, body.url)
    if (!found) return fail('consent.service_unknown')
    const { party, address } = found
    if (party.serviceId && !(await mayUseService(db, viewer, party.serviceId)))
      fail('consent.service_unknown')
    const { token, expiresAt } =
      (await issueJumpToken(platform, viewer, party)) ?? fail('consent.due')
    return { token, expiresAt, audience: party.audience, url: address }
  },
}

/** Sort order of the registry; the username comes first. */
const placeOf = (attribute: string) => (releasables as readonly string[]).indexOf(attribute)

/** The system linked to a catalogue service. A service hidden from the viewer looks the same as a missing one. */
async function getParty(platform: Platform, viewer: Member, serviceId: string): Promise<Party> {
  const party = await findPartyOfService(platform, serviceId)
  const visible = party && (await mayUseService(platform.db, viewer, serviceId))
  return visible ? party : fail('consent.service_unknown')
}
