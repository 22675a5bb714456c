import type { personal } from '@atrium/contract/member/personal'
import { boundaryOf } from '#domains/content/files/multipart.ts'
import { receiveFile } from '#domains/content/files/receive.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { setPortrait } from './portrait.ts'
import { getProfile, updateNameEn } from './queries.ts'
import { hideEmail, hideMobile } from './rules.ts'

export const personalHandlers: Handlers<typeof personal> = {
  me: ({ db, viewer, platform }) => profileOf(platform, db, viewer.accountId),

  async change({ platform, viewer, body }) {
    await platform.db.transaction().execute(async (db) => {
      const { isExternallyManaged } = await getProfile(db, viewer.accountId)
      if (isExternallyManaged) fail('personal.not_editable')
      await updateNameEn(db, viewer.personId, body.userNameEn.trim())
    })
    return profileOf(platform, platform.db, viewer.accountId)
  },

  async portrait({ db, viewer, platform, request }) {
    const boundary =
      boundaryOf(request.headers['content-type']) ?? fail('request.unsupported_media')
    const part = await receiveFile(request.raw, boundary, {
      field: 'file',
      folder: platform.files.partsFolder,
      maxBytes: maxPortraitBytes,
    })
    await setPortrait(platform, viewer, part)
    return { portraitUrl: await portraitOf(platform, await getProfile(db, viewer.accountId)) }
  },
}

async function profileOf(platform: Platform, db: Db, accountId: string) {
  const row = await getProfile(db, accountId)
  return {
    userName: row.name,
    userNameEn: row.name_en,
    accountName: row.username,
    accountId: row.id,
    identityTypeCode: row.identity_code,
    identityTypeName: row.identity_name,
    identityTypeNameEn: row.identity_name_en,
    identityLabel: row.label as 'admin' | 'guest' | 'student' | 'teacher' | null,
    organizationId: row.organization_id,
    organizationCode: row.organization_code,
    organizationName: row.organization_name,
    organizationNameEn: row.organization_name_en,
    mobile: hideMobile(row.mobile),
    email: hideEmail(row.email),
    portraitUrl: await portraitOf(platform, row),
    number: (row.external_key ?? '').toUpperCase(),
    editable: row.isExternallyManaged ? [] : ['userNameEn'],
  }
}

/** Enough for a photograph taken with a phone. */
const maxPortraitBytes = 20 * 1024 * 1024

const portraitOf = async (
  platform: Platform,
  row: {
    portrait_id: string | null
    portrait_public: boolean | null
    portrait_type: string | null
  },
) =>
  (await picturesOf(platform)).address('icon', {
    id: row.portrait_id,
    is_public: row.portrait_public,
    media_type: row.portrait_type,
  })
