import type { Db } from '../src/platform/database/db.ts'
import { usernameOf } from './fill-members.ts'
import { generatedMembers } from './members.ts'
import { articlesAt } from './news.ts'
import {
  favouriteArticles,
  favouriteFiles,
  opinionsOfMembers,
  ownOpinions,
  placements,
  readArticles,
  standards,
  themes,
} from './opinions.ts'
import { type audiences, type Ids, insert, numbered, type Row } from './rows.ts'
import { services } from './services.ts'

/** Favourites, read articles and opinions of members, and which services belong together. */
export async function fillOpinions(
  db: Db,
  today: Date,
  accountIds: Ids,
  organizationIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const serviceIds = new Map(services.map(({ name }, at) => [name, at + 1]))
  const daysAgo = (days: number, minutes = 0) =>
    new Date(today.getTime() - days * 86_400_000 - minutes * 60_000)
  const articles = articlesAt(today).length
  // The newest article has the highest id.
  const articleId = (place: number) => articles - place
  const ofEach = <T>(lists: Record<string, T[]>, row: (item: T, at: number) => Row | Row[]) =>
    Object.entries(lists).flatMap(([username, list]) =>
      list.flatMap((item, at) =>
        [row(item, at)].flat().map((fields) => ({
          account_id: accountIds.get(username),
          ...fields,
        })),
      ),
    )
  await insert(
    db,
    'article_favourite',
    ofEach(favouriteArticles, (place, at) => ({
      article_id: articleId(place),
      position: at,
      created_at: daysAgo(at * 3, 40),
    })),
  )
  await insert(
    db,
    'article_visit',
    ofEach(readArticles, (places, day) =>
      places.map((place, at) => ({
        article_id: articleId(place),
        visited_at: daysAgo(day, 5 + at * 17),
      })),
    ),
  )
  await insert(
    db,
    'file_favourite',
    ofEach(favouriteFiles, ({ name, link }, at) => ({
      file_link: link,
      file_name: name,
      position: at,
      created_at: daysAgo(at * 9 + 2),
    })).map((row, at) => ({ id: at + 1, ...row })),
  )
  await insert(
    db,
    'service_placement',
    await Promise.all(
      placements.map(async ({ service, by, audience }, position) => ({
        service_id: serviceIds.get(service),
        organization_id: organizationIds.get(by),
        audience_id: await audienceOf(audience),
        position,
      })),
    ),
  )
  const themeRows: Row[] = []
  for (const [at, theme] of themes.entries()) {
    themeRows.push({
      id: at + 1,
      code: theme.code,
      name: theme.name,
      name_en: theme.nameEn,
      summary: theme.summary,
      summary_en: theme.summaryEn,
      glyph: theme.glyph,
      tone: theme.tone,
      audience_id: await audienceOf(theme.audience),
      position: at,
      online: true,
    })
  }
  await insert(db, 'service_aggregation', themeRows)
  await insert(
    db,
    'service_aggregation_member',
    themes.flatMap((theme, at) =>
      theme.services.map((name, position) => ({
        aggregation_id: at + 1,
        service_id: serviceIds.get(name),
        position,
      })),
    ),
  )
  await fillEvaluations(db, { accountIds, serviceIds, daysAgo })
}

type Known = {
  accountIds: Ids
  serviceIds: ReadonlyMap<string, number>
  daysAgo: (days: number) => Date
}

async function fillEvaluations(db: Db, { accountIds, serviceIds, daysAgo }: Known) {
  await insert(
    db,
    'evaluation_standard',
    numbered(standards, ({ code, name, nameEn }, position) => ({
      code,
      name,
      name_en: nameEn,
      position,
    })),
  )
  const members = opinionsOfMembers(generatedMembers.length).map(({ member, ...opinion }) => ({
    ...opinion,
    accountId: accountIds.get(usernameOf(generatedMembers[member] as { username: string })),
  }))
  const own = Object.entries(ownOpinions).flatMap(([username, list]) =>
    list.map((opinion, at) => ({
      ...opinion,
      accountId: accountIds.get(username),
      scores: standards.map(() => opinion.stars),
      reply: '',
      daysAgo: at * 6 + 1,
    })),
  )
  const opinions = [...members, ...own]
  await insert(
    db,
    'evaluation',
    numbered(opinions, ({ accountId, service, stars, comment, reply, daysAgo: days }) => ({
      account_id: accountId,
      service_id: serviceIds.get(service),
      stars,
      comment,
      reply,
      replied_at: reply ? daysAgo(days - 1) : null,
      created_at: daysAgo(days),
      updated_at: daysAgo(days),
    })),
  )
  await insert(
    db,
    'evaluation_score',
    opinions.flatMap(({ scores }, at) =>
      scores.map((stars, standard) => ({
        evaluation_id: at + 1,
        standard_id: standard + 1,
        stars,
      })),
    ),
  )
}
