import type { Icon } from '@atrium/contract/define'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { picturesOf } from '#platform/images/pictures.ts'
import {
  type AnswerSource,
  type Entry,
  emptyAnswer,
  type Searchable,
} from '#platform/search-source.ts'
import { forGuests } from '#platform/storage/file-use.ts'
import { subjectOf } from '#platform/text/subject-of.ts'
import { guideScreen } from './guides.ts'

/** Every service that is online now or later, with its audience and period; see `usableBy`. */
const selectServices = (db: Db) =>
  db
    .selectFrom('service')
    .leftJoin('file as icon', 'icon.id', 'service.icon_file_id')
    .leftJoin('organization', 'organization.id', 'service.organization_id')
    .select([
      'service.id',
      'service.name',
      'service.name_en',
      'service.summary',
      'service.summary_en',
      'service.service_no',
      'service.tags',
      'service.glyph',
      'service.tone',
      'service.use_count',
      'service.audience_id',
      'service.valid_until',
      'organization.name as department',
      'organization.name_en as department_en',
      'icon.id as icon_id',
      'icon.media_type as icon_type',
      sql<boolean>`(icon.is_public or ${forGuests('service.audience_id')})`.as('icon_public'),
      sql<string | null>`greatest(service.online_at, service.valid_from)`.as('from'),
    ])
    .where('service.online', '=', true)
type ServiceRow = Awaited<ReturnType<ReturnType<typeof selectServices>['execute']>>[number]

const visibilityOf = ({ audience_id, from, valid_until }: ServiceRow) => ({
  shownTo: { audienceId: audience_id },
  from: from && new Date(from).toISOString(),
  until: valid_until && new Date(valid_until).toISOString(),
})
const iconOf = ({ glyph, tone }: ServiceRow): Icon => ({ glyph, tone: tone as Icon['tone'] })

/** Popularity from 0 to 1, on a logarithmic scale of uses. */
function popularityAmong(rows: readonly ServiceRow[]) {
  const maxUse = Math.log1p(Math.max(1, ...rows.map(({ use_count }) => use_count)))
  return ({ use_count }: ServiceRow) => Math.log1p(use_count) / maxUse
}

/** Minimum fit for an answer. */
const minFit = 0.5
const maxSteps = 6

const howToPattern =
  /怎么办理|怎么办|怎么|如何|怎样|办理流程|办理|流程|步骤|需要(什么|哪些)材料|\bhow (do|can|to)( (i|we|one))?( (get|apply for|do|request))?( (my|a|an|the))?\b|\bwhere (do|can) i (get|apply for)( (my|a|an|the))?\b/

/** Answers questions such as “成绩单怎么办” with the steps of the guide. */
const guideAnswer: AnswerSource = async (platform, _viewer, { text }, best) => {
  const subject = subjectOf(text, howToPattern)
  if (!subject) return undefined
  const match = await best('guide', subject)
  if (!match || match.fit < minFit) return undefined
  const { entry } = match
  const serviceId = entry.id
  const steps = await platform.db
    .selectFrom('service_guide_step')
    .select(['title', 'title_en', 'content', 'content_en'])
    .where('service_id', '=', serviceId)
    .orderBy('position')
    .orderBy('id')
    .limit(maxSteps)
    .execute()
  return {
    ...emptyAnswer,
    kind: 'guide',
    title: entry.title,
    titleEn: entry.titleEn ?? '',
    text: entry.text ?? '',
    textEn: entry.textEn ?? '',
    facts: steps.map((step, index) => ({
      name: `${index + 1}. ${step.title}`,
      nameEn: `${index + 1}. ${step.title_en || step.title}`,
      value: step.content,
      valueEn: step.content_en,
    })),
    ways: [
      { name: '打开服务', nameEn: 'Open the service', to: '', serviceId },
      { name: '查看完整指南', nameEn: 'Read the whole guide', to: entry.to ?? '', serviceId: null },
    ],
  }
}

/** Answers with a service page that takes a search text: shows an input field, and opens the page with its value. */
const pageAnswer: AnswerSource = async (_platform, _viewer, { text }, best) => {
  const match = await best('page', text)
  if (!match?.entry.field || match.fit < minFit) return undefined
  const { entry, fit } = match
  const typedName = [entry.title, entry.titleEn ?? '', ...(entry.words ?? [])]
    .map((name) => name.toLowerCase())
    .find((name) => name.length > 1 && text.includes(name))
  // The value is the text besides an exactly typed name; with a misspelt name, its end is unknown.
  const value = typedName ? text.replace(typedName, '').trim() : ''
  return {
    ...emptyAnswer,
    kind: 'page',
    title: entry.title,
    titleEn: entry.titleEn ?? '',
    text: entry.text ?? '',
    textEn: entry.textEn ?? '',
    field: { ...match.entry.field, value: fit === 1 ? '' : value, to: entry.to ?? '' },
  }
}

export const servicesSearch: Searchable = {
  entries: [
    {
      kind: 'service',
      topics: ['services'],
      async entries(platform) {
        const [rows, pictures] = await Promise.all([
          selectServices(platform.db).execute(),
          picturesOf(platform),
        ])
        const popularity = popularityAmong(rows)
        return rows.map(
          (row): Entry => ({
            ...visibilityOf(row),
            id: row.id,
            title: row.name,
            titleEn: row.name_en,
            text: row.summary,
            textEn: row.summary_en,
            words: [row.service_no, ...row.tags],
            icon: iconOf(row),
            iconUrl: pictures.address('icon', {
              id: row.icon_id,
              is_public: row.icon_public,
              media_type: row.icon_type,
            }),
            serviceId: row.id,
            popularity: popularity(row),
          }),
        )
      },
    },
    {
      kind: 'guide',
      topics: ['services', 'config'],
      async entries(platform) {
        const screen = await guideScreen(platform)
        if (!screen) return []
        const guides = await selectServices(platform.db)
          .innerJoin('service_guide as guide', 'guide.service_id', 'service.id')
          .where('service.have_guide', '=', true)
          .select(['guide.intro', 'guide.intro_en'])
          .select(
            sql<
              string[]
            >`array(select step.title || ' ' || step.title_en from service_guide_step step
              where step.service_id = service.id order by step.position limit 20)`.as('steps'),
          )
          .execute()
        const popularity = popularityAmong(guides)
        return guides.map(
          (row): Entry => ({
            ...visibilityOf(row),
            id: row.id,
            title: row.name,
            titleEn: row.name_en,
            text: row.intro,
            textEn: row.intro_en,
            words: [...row.tags, ...row.steps],
            icon: iconOf(row),
            to: `${screen}?serviceId=${row.id}`,
            popularity: popularity(row),
          }),
        )
      },
    },
    {
      kind: 'page',
      topics: ['services'],
      async entries({ db }) {
        const rows = await selectServices(db)
          .innerJoin('service_page as page', 'page.service_id', 'service.id')
          .select([
            'page.id as page_id',
            'page.name as page_name',
            'page.name_en as page_name_en',
            'page.words',
            'page.url',
            'page.field_name',
            'page.field_name_en',
          ])
          .execute()
        const popularity = popularityAmong(rows)
        return rows.map(
          (row): Entry => ({
            ...visibilityOf(row),
            id: `service-page:${row.page_id}`,
            title: row.page_name,
            titleEn: row.page_name_en,
            text: row.name,
            textEn: row.name_en,
            words: row.words,
            icon: iconOf(row),
            to: row.url,
            popularity: popularity(row),
            ...(row.field_name && {
              field: { name: row.field_name, nameEn: row.field_name_en || row.field_name },
            }),
          }),
        )
      },
    },
  ],
  answers: [pageAnswer, guideAnswer],
}
