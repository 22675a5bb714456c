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
    people: T.Integer({ description: 'number of people listed there and below' }),
    hasBelow: T.Boolean({ description: 'it has sub-organisations' }),
  },
  { $id: 'BookOrganization' },
)
export type BookOrganization = Static<typeof BookOrganization>

const Place = T.Object({ id: Id, name: T.String(), nameEn: T.String() })

const brief = {
  accountName: T.String(),
  name: T.String(),
  nameEn: T.String(),
  title: T.String({ description: 'function in the organisation, such as 辅导员; or empty' }),
  titleEn: T.String(),
  leads: T.Boolean({ description: 'head of the organisation' }),
  identityType: T.String(),
  identityTypeEn: T.String(),
  organization: T.String(),
  organizationEn: T.String(),
  portraitUrl: T.String({ description: 'empty: none, or not shown to the caller' }),
}

/** A person in a list; without contact details. */
export const BookPerson = T.Object(brief, { $id: 'BookPerson' })
export type BookPerson = Static<typeof BookPerson>

export const BookPersonDetail = T.Interface(
  [BookPerson],
  {
    path: T.Array(Place, { description: "from the topmost organisation down to the person's own" }),
    mobile: Nullable(T.String({ description: 'null: not shown by the institution or the member' })),
    email: Nullable(T.String()),
    officePhone: Nullable(
      T.String({ description: 'phone of the post; null: not shown by the institution' }),
    ),
    office: Nullable(T.String()),
    officeEn: Nullable(T.String()),
    self: T.Boolean(),
    listed: T.Boolean({ description: 'false: hidden from everybody else' }),
    favourite: T.Boolean(),
    hears: T.Boolean({ description: 'the caller can write to this person' }),
    others: T.Array(BookPerson, { description: 'other accounts of the same person' }),
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
    summary:
      'List the sub-organisations of an organisation, or the topmost ones, with the number of people',
    access: 'member',
    preEncoded: true,
    query: T.Object({ parentId: T.Optional(Id) }),
    reply: T.Object({
      path: T.Array(Place, {
        description: 'from the topmost organisation down to the requested one',
      }),
      list: T.Array(BookOrganization),
      people: T.Integer({ description: 'number of people directly in the organisation' }),
    }),
    errors: ['address_book.off', 'address_book.organization_not_found'],
  }),
  people: get('/portal-api/v1/addressBook/people', {
    summary:
      'List the people of an organisation or group; with keyWords, search it and everything below by name, pinyin, number or function (at most 200 results)',
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
    summary: 'Get a person with the details shown to the caller',
    access: 'member',
    params,
    reply: BookPersonDetail,
    errors: ['address_book.off', 'address_book.not_found', 'request.too_many'],
  }),
  groups: get('/portal-api/v1/addressBook/groups', {
    summary: 'List the groups the caller belongs to',
    access: 'member',
    reply: T.Array(BookGroup),
    errors: ['address_book.off'],
  }),
  favourites: get('/portal-api/v1/addressBook/favourites', {
    summary: "List the caller's favourite people, last added first",
    access: 'member',
    reply: T.Array(BookPerson),
    errors: ['address_book.off'],
  }),
  addFavourite: put('/portal-api/v1/addressBook/favourites/{accountName}', {
    summary: 'Add a person to the favourites',
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
    summary: 'Remove a person from the favourites',
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
    people: T.Integer({
      description: 'number of people in the group who are listed in the address book',
    }),
    holds: T.Boolean({ description: 'the requested person is in this group' }),
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
    summary: `List the caller's own groups by name, at most ${maxContactGroups}`,
    access: 'member',
    query: T.Object({
      accountName: T.Optional(Username),
    }),
    reply: T.Array(ContactGroup),
    errors: ['address_book.off'],
  }),
  read: get(`${groups}/{id}`, {
    summary: "Get one of the caller's own groups with its people, by name",
    access: 'member',
    params: groupParams,
    reply: T.Object({ id: Id, name: T.String(), people: T.Array(BookPerson) }),
    errors: ['address_book.off', 'address_book.group_not_found'],
  }),
  create: post(groups, {
    summary: 'Create an empty group',
    access: 'member',
    body: groupName,
    reply: T.Object({ id: Id }),
    errors: ['address_book.off', 'address_book.group_exists', 'address_book.groups_full'],
  }),
  rename: put(`${groups}/{id}`, {
    summary: 'Rename a group',
    access: 'member',
    params: groupParams,
    body: groupName,
    reply: T.Null(),
    errors: ['address_book.off', 'address_book.group_not_found', 'address_book.group_exists'],
  }),
  remove: del(`${groups}/{id}`, {
    summary: 'Delete a group; its people are not affected',
    access: 'member',
    params: groupParams,
    reply: T.Null(),
    errors: ['address_book.off'],
  }),
  add: put(`${groups}/{id}/people/{accountName}`, {
    summary: 'Add a person to a group',
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
    summary: 'Remove a person from a group',
    access: 'member',
    params: memberParams,
    reply: T.Null(),
    errors: ['address_book.off', 'address_book.group_not_found'],
  }),
}
