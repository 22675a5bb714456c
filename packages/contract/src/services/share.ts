import { ArticleSummary } from '../content/news.ts'
import { get, Id, OneOf, type Static, T, Time } from '../define.ts'
import { Service } from './services.ts'

/** Lifetime of a shared link in days. */
export const shareDays = 30
/** Placeholder for the name of an anonymous sharer. */
export const namelessSharer = '***'

/** A link to share, with its accompanying text. */
export const ShareLink = T.Object(
  {
    url: T.String({ description: 'full address' }),
    title: T.String(),
    titleEn: T.String(),
    text: T.String(),
    textEn: T.String(),
    image: T.String({ description: 'full address of a picture of 250 × 200 pixels, or empty' }),
    sharerName: T.String(),
    sharerNameEn: T.String({ description: 'empty if there is none, or if shared anonymously' }),
    expiresAt: Time,
  },
  { $id: 'ShareLink' },
)
export type ShareLink = Static<typeof ShareLink>

const sharer = {
  sharerName: T.String({ description: '`***` if shared anonymously' }),
  sharerNameEn: T.String({ description: 'empty if there is none, or if shared anonymously' }),
  inviter: T.String({
    description: 'pseudonymous id, the same for everything this member shares by name',
  }),
  expiresAt: Time,
}
export const SharedService = T.Object(
  {
    ...sharer,
    direct: T.Boolean({ description: 'the address opens the service itself' }),
    service: Service,
  },
  { $id: 'SharedService' },
)
export const SharedArticle = T.Object(
  { ...sharer, article: T.Interface([ArticleSummary], { contentDesc: T.String() }) },
  { $id: 'SharedArticle' },
)
export type SharedArticle = Static<typeof SharedArticle>

/** The signed payload in the address. */
const payload = T.String({ maxLength: 1000 })

export const share = {
  link: get('/portal-api/v1/share/link', {
    summary: 'Create a signed link for sharing a service or an article',
    access: 'guest',
    query: T.Object({
      kind: OneOf(['service', 'news']),
      id: Id,
      named: T.Boolean({ default: false, description: "include the member's name" }),
    }),
    reply: ShareLink,
    errors: ['share.off', 'service.not_found', 'news.not_found'],
  }),
  service: get('/portal-api/v1/share/service', {
    summary: 'Get the service of a shared link',
    access: 'guest',
    query: T.Object({ serviceInfo: payload }),
    reply: SharedService,
    errors: ['share.invalid', 'share.expired', 'service.not_found'],
  }),
  news: get('/portal-api/v1/share/news', {
    summary: 'Get the article of a shared link',
    access: 'guest',
    query: T.Object({ data: payload }),
    reply: SharedArticle,
    errors: ['share.invalid', 'share.expired', 'news.not_found'],
  }),
}
