import { del, get, Id, OneOf, post, put, T, Time } from '../define.ts'
import { DiversionContent, OpeningPageContent, SlideContent, ThemeContent } from './launch.ts'

/** One audience rule: an audience is everybody included by some rule and excluded by none. */
export const AudienceRule = T.Object(
  {
    effect: OneOf(['include', 'exclude'], { default: 'include' }),
    kind: OneOf(['everybody', 'guests', 'identity', 'organization', 'group']),
    target: T.String({
      maxLength: 100,
      default: '',
      description: 'code of the identity type, organisation (including all below it) or group',
    }),
  },
  { $id: 'AudienceRule' },
)

/** Fields common to every kind of item. */
const placing = {
  audience: T.Array(AudienceRule, { minItems: 1, maxItems: 50 }),
  position: T.Integer({
    minimum: 0,
    maximum: 9999,
    default: 0,
    description: 'lower values come first',
  }),
  online: T.Boolean({ default: true }),
}
const known = { id: Id, updatedAt: Time }
const params = T.Object({ id: Id })

/** The four operations on one kind of item. A field with a default may be omitted. */
const managed = <F extends T.TObject, I extends T.TObject>(
  path: string,
  words: { one: string; all: string },
  fields: F,
  item: I,
) => ({
  list: get(path, {
    summary: `List all ${words.all}, whatever their audience and time`,
    access: 'operator',
    permission: 'content',
    reply: T.Array(item),
  }),
  create: post(path, {
    summary: `Create ${words.one}`,
    access: 'operator',
    permission: 'content',
    body: fields,
    reply: item,
  }),
  update: put(`${path}/{id}`, {
    summary: `Update ${words.one}`,
    access: 'operator',
    permission: 'content',
    params,
    body: fields,
    reply: item,
    errors: ['launch.not_found'],
  }),
  remove: del(`${path}/{id}`, {
    summary: `Delete ${words.one}`,
    access: 'operator',
    permission: 'content',
    params,
    reply: T.Null(),
    errors: ['launch.not_found'],
  }),
})

export const themes = managed(
  '/console-api/v1/themes',
  { one: 'a theme', all: 'themes' },
  T.Interface([ThemeContent], placing),
  T.Interface([ThemeContent], { ...placing, ...known }, { $id: 'ManagedTheme' }),
)
export const openingPages = managed(
  '/console-api/v1/launch-screens',
  { one: 'an opening page', all: 'opening pages' },
  T.Interface([OpeningPageContent], placing),
  T.Interface([OpeningPageContent], { ...placing, ...known }, { $id: 'ManagedOpeningPage' }),
)
export const diversions = managed(
  '/console-api/v1/diversions',
  { one: 'a diversion page', all: 'diversion pages' },
  T.Interface([DiversionContent], placing),
  T.Interface([DiversionContent], { ...placing, ...known }, { $id: 'ManagedDiversion' }),
)
export const slides = managed(
  '/console-api/v1/slides',
  { one: 'a slide', all: 'slides' },
  T.Interface([SlideContent], placing),
  T.Interface([SlideContent], { ...placing, ...known }, { $id: 'ManagedSlide' }),
)
