import { get, Id, Nullable, OneOf, type Static, T, Time } from '../define.ts'
import { ownPath } from '../own-path.ts'

/** Terminal codes: 1 PC, 2 super app, 3 mini-program, 4 payment mini-program, 6 H5. */
export const Terminal = OneOf(['1', '2', '3', '4', '6'])

const https = 'https://[\\w.\\-\\u0080-\\uffff]+(:\\d{1,5})?([/?#][^\\s\\\\]*)?'
/** A path of the portal, or an https address. */
const Address = (description: string) =>
  T.String({ pattern: `^(${ownPath}|${https})$`, maxLength: 2000, description })
export const MaybeAddress = (description: string) =>
  T.String({ pattern: `^(${ownPath}|${https})?$`, maxLength: 2000, default: '', description })
/** A picture's address, a drawing's name in the icon sheet, or empty for the default. */
export const TabIcon = T.String({
  pattern: `^(${ownPath}|${https}|[a-z][a-z\\-]*)?$`,
  maxLength: 2000,
  default: '',
})
const Text = (maxLength: number) => T.String({ maxLength, default: '' })
const Title = T.String({ minLength: 1, maxLength: 100 })
const Day = (description: string) =>
  T.String({ pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', default: '', description })
const Terminals = T.Array(Terminal, { minItems: 1, maxItems: 5, default: ['6'] })
const Moment = T.Union([Time, T.Null()], { default: null })

// ---- as written by operators and stored: all fields are present, those with a default may be omitted in requests ----

export const OpeningPageContent = T.Object({
  title: Title,
  titleEn: Text(100),
  terminals: Terminals,
  contentUrl: Address('a picture where it ends in gif, png, jpg, jpeg, webp or avif, else a film'),
  link: MaybeAddress('what a touch opens, or empty'),
  seconds: T.Integer({ minimum: 1, maximum: 60, default: 5, description: 'until home follows' }),
  frequencyType: OneOf(['limited', 'unlimited'], { default: 'unlimited' }),
  frequency: T.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1,
    description: 'how often one member sees it on one device, when limited',
  }),
  validDateType: OneOf(['permanent', 'custom'], { default: 'permanent' }),
  customValidDateType: OneOf(['include', 'exclude'], { default: 'include' }),
  customValidStartDate: Day('first day, YYYY-MM-DD; it counts'),
  customValidEndDate: Day('last day, YYYY-MM-DD; it counts'),
})

export const Destination = T.Object({
  title: Title,
  titleEn: Text(100),
  text: T.String({ maxLength: 200, default: '', description: 'one line on what is there' }),
  textEn: Text(200),
  imageUrl: MaybeAddress('a picture, or empty'),
  link: Address('where it leads'),
})

export const DiversionContent = T.Object({
  title: Title,
  titleEn: Text(100),
  terminals: Terminals,
  destinations: T.Array(Destination, { minItems: 1, maxItems: 8 }),
})

/** What a theme overrides in one tab; an empty field keeps the tab's own value. */
export const ThemeTab = T.Object({
  text: Text(20),
  textEn: Text(20),
  name: T.String({ maxLength: 20, default: '', description: 'the same as text' }),
  iconPath: TabIcon,
  selectedIconPath: TabIcon,
  backgroundUrl: MaybeAddress('behind the tab bar, or empty'),
})

export const ThemeValidity = T.Object({
  validTimeType: OneOf(['permanent', 'custom']),
  customValidTimeType: OneOf(['include', 'exclude'], { default: 'include' }),
  customValidStartTime: T.String({
    maxLength: 40,
    default: '',
    description: "ISO 8601, or the institution's clock: 2026-02-16 00:00:00",
  }),
  customValidEndTime: Text(40),
})

export const ThemeContent = T.Object({
  name: Title,
  nameEn: Text(100),
  footTabs: T.Array(ThemeTab, {
    minItems: 1,
    maxItems: 5,
    description: 'in the order of the tabs; accepted as JSON or as a string of it',
  }),
  validLists: T.Array(ThemeValidity, {
    minItems: 1,
    maxItems: 20,
    description: 'valid when any entry is',
  }),
})

export const SlideContent = T.Object({
  title: Title,
  titleEn: Text(100),
  imageUrl: Address('the picture'),
  link: MaybeAddress('what a touch opens, or empty'),
  startsAt: Moment,
  endsAt: Moment,
})

// ---- as sent to members and visitors ----

export const OpeningPage = T.Interface([OpeningPageContent], { id: Id }, { $id: 'OpeningPage' })
export type OpeningPage = Static<typeof OpeningPage>

export const Diversion = T.Interface([DiversionContent], { id: Id }, { $id: 'Diversion' })
export type Diversion = Static<typeof Diversion>

export const Theme = T.Interface(
  [ThemeContent],
  {
    id: Id,
    backgroundUrl: T.String({ description: "the first tab's" }),
    isValidForNow: T.Boolean(),
  },
  { $id: 'Theme' },
)
export type Theme = Static<typeof Theme>

export const Slide = T.Interface([SlideContent], { id: Id, order: T.Integer() }, { $id: 'Slide' })
export type Slide = Static<typeof Slide>

export const launch = {
  openingPages: get('/portal-api/v1/appLaunchScreen/getUserList', {
    summary: "The member's opening pages; which of them are due, the device decides",
    access: 'member',
    cached: ['launch'],
    reply: T.Array(OpeningPage),
  }),
  visitorOpeningPages: get('/portal-api/v1/appLaunchScreen/getTouristList', {
    summary: 'The opening pages of visitors, whoever asks',
    access: 'public',
    cached: ['launch'],
    reply: T.Array(OpeningPage),
  }),
  diversions: get('/portal-api/diversion/getUserDiversionList', {
    summary: "The member's diversion pages for a terminal; the first one is shown",
    access: 'member',
    cached: ['launch'],
    query: T.Object({ terminal: T.Optional(Terminal) }),
    reply: T.Array(Diversion),
  }),
  theme: get('/portal-api/v1/theme/current', {
    summary: 'The festival theme that is valid now for the caller, or null',
    access: 'guest',
    cached: ['launch', 'config'],
    reply: Nullable(Theme),
  }),
  slides: get('/portal-api/v1/slideshow', {
    summary: "The slides of home's slideshow that are shown now, in their order",
    access: 'guest',
    cached: ['launch'],
    reply: T.Array(Slide),
  }),
}
