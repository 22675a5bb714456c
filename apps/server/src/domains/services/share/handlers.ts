import type { ShareLink, share } from '@atrium/contract/services/share'
import { figures } from '@atrium/rules/figures'
import { findArticle, imageOf, toSummary } from '#domains/content/news/queries.ts'
import { getService, iconOf, toService } from '#domains/services/services/queries.ts'
import { fail } from '#platform/http/errors.ts'
import type { Viewer } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { type Pictures, picturesOf } from '#platform/images/pictures.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { createShare, readShare, type SharePayload, writeShare } from './rules.ts'

export const shareHandlers: Handlers<typeof share> = {
  async link({ platform, viewer, query }) {
    const { kind, id, named } = query
    const settings = await currentSettings(platform)
    const type =
      kind === 'service'
        ? figures.serviceShare[settings.ENV_SERVICE_SHARE_TYPE as keyof typeof figures.serviceShare]
        : figures.newsShare[settings.ENV_NEWS_SHARE_TYPE as keyof typeof figures.newsShare]
    if (type === figures.serviceShare.off) fail('share.off')
    const pictures = await picturesOf(platform)
    const words =
      kind === 'service'
        ? await serviceWords(platform, viewer, pictures, id)
        : await newsWords(platform, viewer, pictures, id)
    const shared = createShare(
      platform.secret,
      { kind, id, direct: kind === 'service' && type === figures.serviceShare.direct },
      named && viewer.signedIn ? viewer : null,
      new Date(),
    )
    const text = writeShare(platform.secret, shared)
    const { sharerName, sharerNameEn, expiresAt } = shared
    const path =
      kind === 'service'
        ? `/pages/service/serviceShare?serviceInfo=${text}`
        : `/pagesA/news/midTrans?data=${text}`
    return {
      url: `${platform.origin()}${path}&noLogin=1`,
      ...words,
      image: words.image && platform.origin() + words.image,
      sharerName,
      sharerNameEn,
      expiresAt: expiresAt.toISOString(),
    }
  },

  async service({ db, platform, viewer, query }) {
    const { id, direct, ...shared } = openShare(platform, 'service', query.serviceInfo)
    const row = await getService(db, viewer, id)
    return { ...shared, direct, service: toService(await picturesOf(platform))(row) }
  },

  async news({ db, platform, viewer, query }) {
    const { id, direct: _direct, ...shared } = openShare(platform, 'news', query.data)
    const row = (await findArticle(db, viewer, id)) ?? fail('news.not_found')
    const pictures = await picturesOf(platform)
    const article = {
      ...toSummary(pictures)(row),
      titleImage: pictures.address('wide', imageOf(row)),
      contentDesc: row.summary,
    }
    return { ...shared, article }
  },
}

function openShare({ secret }: Platform, kind: SharePayload['kind'], text: string) {
  const shared = readShare(secret, kind, text, new Date())
  if (typeof shared === 'string')
    return fail(shared === 'expired' ? 'share.expired' : 'share.invalid')
  const { kind: _kind, expiresAt, ...rest } = shared
  return { ...rest, expiresAt: expiresAt.toISOString() }
}

type Words = Pick<ShareLink, 'title' | 'titleEn' | 'text' | 'textEn' | 'image'>

async function serviceWords(
  { db }: Platform,
  viewer: Viewer,
  pictures: Pictures,
  id: string,
): Promise<Words> {
  const row = await getService(db, viewer, id)
  return {
    title: row.name,
    titleEn: row.name_en,
    text: row.summary,
    textEn: row.summary_en,
    image: pictures.address('share', iconOf(row)),
  }
}

async function newsWords(
  { db }: Platform,
  viewer: Viewer,
  pictures: Pictures,
  id: string,
): Promise<Words> {
  const row = (await findArticle(db, viewer, id)) ?? fail('news.not_found')
  return {
    title: row.title,
    titleEn: row.title_en,
    text: row.summary,
    textEn: '',
    image: pictures.address('share', imageOf(row)),
  }
}
