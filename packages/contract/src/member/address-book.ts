import {
  del,
  get,
  Id,
  Nullable,
  Page,
  pageQuery,
  post,
  put,
  type Static,
  T,
  Username,
} from '../define.ts'

/** Maximum hits of one search across its pages; more specific words find the rest. */
export const maxHits = 200
export const maxFavourites = 200
export const maxContactGroups = 50
export const maxGroupPeople = 200
/** Maximum page size: it prevents copying the address book in a few calls. */
export const maxPeople = 50

export const BookOrganization = T.Object(
  {
    id: Id,
    name: T.String(),
    nameEn: T.String(),
    people: T.Integer({ description: 'who stand in the book there and below' }),
    hasBelow: T.Boolean({ description: 'there are organisations below it' }),
  },
  { $id: 'BookOrganization' },
)
export type BookOrganization = Static<typeof BookOrganization>

const Place = T.Object({ id: Id, name: T.String(), nameEn: T.String() })

const brief = {
  accountName: T.String(),
  name: T.String(),
  nameEn: T.String(),
  title: T.String({ description: 'what they are there, such as 辅导员; empty: nothing is said' }),
  titleEn: T.String(),
  leads: T.Boolean({ description: 'leads the organisation' }),
  identityType: T.String(),
  identityTypeEn: T.String(),
  organization: T.String(),
  organizationEn: T.String(),
  portraitUrl: T.String({ description: 'empty where there is none, or it is not shown' }),
}

/** A person in a list; without contact details. */
export const BookPerson = T.Object(brief, { $id: 'BookPerson' })
export type BookPerson = Static<typeof BookPerson>

export const BookPersonDetail = T.Interface(
  [BookPerson],
  {
    path: T.Array(Place, { description: 'from the topmost organisation down to their own' }),
    mobile: Nullable(T.String({ description: 'where institution and member show it' })),
    email: Nullable(T.String()),
    officePhone: Nullable(T.String({ description: 'of the post, where the institution shows it' })),
    office: Nullable(T.String()),
    officeEn: Nullable(T.String()),
    self: T.Boolean(),
    listed: T.Boolean({ description: 'false: only they themselves see this' }),
    favourite: T.Boolean(),
    hears: T.Boolean({ description: 'whether a letter of the caller would arrive' }),
    others: T.Array(BookPerson, { description: 'the same person by their other accounts' }),
  },
  { $id: 'BookPersonDetail' },
)
export type BookPersonDetail = Static<typeof BookPersonDetail>

export const BookGroup = T.Object(
  { id: Id, name: T.String(), nameEn: T.String(), people: T.Integer() },
  { $id: 'BookGroup' },
)

const params = T.Object({ accountName: Username })
export const addressBook = {
  organizations: get('/portal-api/v1/addressBook/organizations', {
    summary: 'Organisations below one, or the topmost ones, with how many people each has',
    access: 'member',
    preEncoded: true,
    query: T.Object({ parentId: T.Optional(Id) }),
    reply: T.Object({
      path: T.Array(Place, { description: 'down to the one that was asked for' }),
      list: T.Array(BookOrganization),
      people: T.Integer({ description: 'right there, not below' }),
    }),
    errors: ['address_book.off', 'address_book.organization_not_found'],
  }),
  people: get('/portal-api/v1/addressBook/people', {
    summary:
      'People of an organisation or a group; with words, those so named or titled there and below: 200 at most, by name, pinyin, number or role',
    access: 'member',
    query: T.Object({
      orgId: T.Optional(Id),
      groupId: T.Optional(Id),
      keyWords: T.Optional(T.String({ maxLength: 40 })),
      ...pageQuery,
    }),
    reply: Page(BookPerson),
    errors: ['address_book.off', 'address_book.organization_not_found', 'request.too_many'],
  }),
  person: get('/portal-api/v1/addressBook/people/{accountName}', {
    summary: 'Somebody with what the institution and they themselves show to the caller',
    access: 'member',
    params,
    reply: BookPersonDetail,
    errors: ['address_book.off', 'address_book.not_found', 'request.too_many'],
  }),
  groups: get('/portal-api/v1/addressBook/groups', {
    summary: 'The groups the caller belongs to',
    access: 'member',
    reply: T.Array(BookGroup),
    errors: ['address_book.off'],
  }),
  favourites: get('/portal-api/v1/addressBook/favourites', {
    summary: 'People the caller has marked, the last one first',
    access: 'member',
    reply: T.Array(BookPerson),
    errors: ['address_book.off'],
  }),
  addFavourite: put('/portal-api/v1/addressBook/favourites/{accountName}', {
    summary: 'Mark somebody',
    access: 'member',
    params,
    reply: T.Null(),
    errors: [
      'address_book.off',
      'address_book.not_found',
      'address_book.favourites_full',
      'request.too_many',
    ],
  }),
  removeFavourite: del('/portal-api/v1/addressBook/favourites/{accountName}', {
    summary: 'Mark somebody no longer',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['address_book.off'],
  }),
}

/** A member's private group of people. */
export const ContactGroup = T.Object(
  {
    id: Id,
    name: T.String(),
    people: T.Integer({ description: 'of the group who stand in the book' }),
    holds: T.Boolean({ description: 'the person that was asked about is in it' }),
  },
  { $id: 'ContactGroup' },
)
export type ContactGroup = Static<typeof ContactGroup>

const groups = '/portal-api/v1/addressBook/ownGroups'
const groupParams = T.Object({ id: Id })
const memberParams = T.Object({ id: Id, accountName: Username })
const groupName = T.Object({ name: T.String({ minLength: 1, maxLength: 30, pattern: '\\S' }) })

/** The member's own groups; people hidden from the address book are not shown in them either. */
export const contactGroups = {
  list: get(groups, {
    summary: `The caller’s own groups by name, ${maxContactGroups} at most`,
    access: 'member',
    query: T.Object({
      accountName: T.Optional(Username),
    }),
    reply: T.Array(ContactGroup),
    errors: ['address_book.off'],
  }),
  read: get(`${groups}/{id}`, {
    summary: 'A group of the caller’s own with its people, by name',
    access: 'member',
    params: groupParams,
    reply: T.Object({ id: Id, name: T.String(), people: T.Array(BookPerson) }),
    errors: ['address_book.off', 'address_book.group_not_found'],
  }),
  create: post(groups, {
    summary: 'A new group, still without people',
    access: 'member',
    body: groupName,
    reply: T.Object({ id: Id }),
    errors: ['address_book.off', 'address_book.group_exists', 'address_book.groups_full'],
  }),
  rename: put(`${groups}/{id}`, {
    summary: 'Another name for a group',
    access: 'member',
    params: groupParams,
    body: groupName,
    reply: T.Null(),
    errors: ['address_book.off', 'address_book.group_not_found', 'address_book.group_exists'],
  }),
  remove: del(`${groups}/{id}`, {
    summary: 'No such group any more; its people stay where they are',
    access: 'member',
    params: groupParams,
    reply: T.Null(),
    errors: ['address_book.off'],
  }),
  add: put(`${groups}/{id}/people/{accountName}`, {
    summary: 'Put somebody into a group',
    access: 'member',
    params: memberParams,
    reply: T.Null(),
    errors: [
      'address_book.off',
      'address_book.not_found',
      'address_book.group_not_found',
      'address_book.group_full',
      'request.too_many',
    ],
  }),
  leaveOut: del(`${groups}/{id}/people/{accountName}`, {
    summary: 'Take somebody out of a group',
    access: 'member',
    params: memberParams,
    reply: T.Null(),
    errors: ['address_book.off', 'address_book.group_not_found'],
  }),
}
