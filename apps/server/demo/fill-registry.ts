import type { Db } from '../src/platform/database/db.ts'
import { relyingParties } from './relying-parties.ts'
import { type Ids, insert, numbered } from './rows.ts'
import { services } from './services.ts'

export async function fillRelyingParties(db: Db) {
  const serviceIds = new Map(services.map(({ name }, at) => [name, at + 1]))
  await insert(
    db,
    'relying_party',
    numbered(relyingParties, (party) => ({
      code: party.code,
      name: party.name ?? '',
      name_en: party.nameEn ?? '',
      service_id: party.service ? serviceIds.get(party.service) : null,
      enabled: true,
      addresses: party.addresses ?? [],
      redirect_uris: party.redirectUris ?? [],
      post_logout_redirect_uris: party.postLogoutRedirectUris ?? [],
      logout_url: party.logoutUrl ?? '',
      backchannel_logout_url: party.backchannelLogoutUrl ?? '',
      attributes: party.attributes ?? [],
      purpose: party.purpose ?? '',
      purpose_en: party.purposeEn ?? '',
      consent_needed: party.consentNeeded ?? false,
      token_audience: '',
      public_client: party.publicClient ?? false,
      created_at: new Date(),
      updated_at: new Date(),
    })),
  )
}

/** The student's consent for the library, and the attributes released to the example service. */
export async function fillConsent(db: Db, today: Date, accountIds: Ids) {
  const student = accountIds.get('student')
  const daysAgo = (days: number) => new Date(today.getTime() - days * 86_400_000)
  const idOf = (code: string) => relyingParties.findIndex((party) => party.code === code) + 1
  await insert(db, 'consent', [
    {
      account_id: student,
      relying_party_id: idOf('library'),
      attributes: relyingParties.find(({ code }) => code === 'library')?.attributes,
      given_at: daysAgo(74),
    },
  ])
  const told = (code: string, first: number, last: number, count: number) => ({
    account_id: student,
    relying_party_id: idOf(code),
    attributes: [
      'username',
      ...(relyingParties.find((party) => party.code === code)?.attributes ?? []),
    ],
    first_at: daysAgo(first),
    last_at: daysAgo(last),
    release_count: count,
  })
  await insert(db, 'attribute_release', [told('library', 74, 2, 23), told('cas-example', 9, 9, 1)])
}
