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
  contentUrl: Address(
    'address of a picture if it ends in gif, png, jpg, jpeg, webp or avif, otherwise of a video',
  ),
  link: MaybeAddress('address opened by a tap, or empty'),
  seconds: T.Integer({
    minimum: 1,
    maximum: 60,
    default: 5,
    description: 'seconds until home is shown',
  }),
  frequencyType: OneOf(['limited', 'unlimited'], { default: 'unlimited' }),
  frequency: T.Integer({
    minimum: 1,
    maximum: 1000,
    default: 1,
    description: 'limited: how often one member sees it on one device',
  }),
  validDateType: OneOf(['permanent', 'custom'], { default: 'permanent' }),
  customValidDateType: OneOf(['include', 'exclude'], { default: 'include' }),
  customValidStartDate: Day('first day (inclusive), YYYY-MM-DD'),
  customValidEndDate: Day('last day (inclusive), YYYY-MM-DD'),
})

export const Destination = T.Object({
  title: Title,
  titleEn: Text(100),
  text: T.String({ maxLength: 200, default: '', description: 'one line of description' }),
  textEn: Text(200),
  imageUrl: MaybeAddress('address of a picture, or empty'),
  link: Address('address to open'),
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
  name: T.String({ maxLength: 20, default: '', description: 'same as `text`' }),
  iconPath: TabIcon,
  selectedIconPath: TabIcon,
  backgroundUrl: MaybeAddress('background of the tab bar, or empty'),
})

export const ThemeValidity = T.Object({
  validTimeType: OneOf(['permanent', 'custom']),
  customValidTimeType: OneOf(['include', 'exclude'], { default: 'include' }),
  customValidStartTime: T.String({
    maxLength: 40,
    default: '',
    description: 'ISO 8601, or institution time: 2026-02-16 00:00:00',
  }),
  customValidEndTime: Text(40),
})

export const ThemeContent = T.Object({
  name: Title,
  nameEn: Text(100),
  footTabs: T.Array(ThemeTab, {
    minItems: 1,
    maxItems: 5,
    description: 'in the order of the tabs; accepted as JSON or as a JSON string',
  }),
  validLists: T.Array(ThemeValidity, {
    minItems: 1,
    maxItems: 20,
    description: 'the theme is valid while any entry applies',
  }),
})

export const SlideContent = T.Object({
  title: Title,
  titleEn: Text(100),
  imageUrl: Address('address of the picture'),
  link: MaybeAddress('address opened by a tap, or empty'),
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
    backgroundUrl: T.String({ description: 'background of the first tab' }),
    isValidForNow: T.Boolean(),
  },
  { $id: 'Theme' },
)
export type Theme = Static<typeof Theme>

export const Slide = T.Interface([SlideContent], { id: Id, order: T.Integer() }, { $id: 'Slide' })
export type Slide = Static<typeof Slide>

export const launch = {
  openingPages: get('/portal-api/v1/appLaunchScreen/getUserList', {
    summary: "List the member's opening pages; the device decides which to show",
    access: 'member',
    cached: ['launch'],
    reply: T.Array(OpeningPage),
  }),
  visitorOpeningPages: get('/portal-api/v1/appLaunchScreen/getTouristList', {
    summary: 'List the opening pages for visitors',
    access: 'public',
    cached: ['launch'],
    reply: T.Array(OpeningPage),
  }),
  diversions: get('/portal-api/diversion/getUserDiversionList', {
    summary: "List the member's diversion pages for a terminal; the first one is shown",
    access: 'member',
    cached: ['launch'],
    query: T.Object({ terminal: T.Optional(Terminal) }),
    reply: T.Array(Diversion),
  }),
  theme: get('/portal-api/v1/theme/current', {
    summary: 'Get the festival theme currently valid for the caller, or null',
    access: 'guest',
    cached: ['launch', 'config'],
    reply: Nullable(Theme),
  }),
  slides: get('/portal-api/v1/slideshow', {
    summary: 'List the current slides of home, in order',
    access: 'guest',
    cached: ['launch'],
    reply: T.Array(Slide),
  }),
}
