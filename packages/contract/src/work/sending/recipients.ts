import { del, get, Id, Nullable, post, put, type Static, T, Time, Username } from '../../define.ts'
import { SendingPerson } from '../sending.ts'

/** Maximum people added to a list per call. */
export const maxPeopleAtOnce = 200

export const Place = T.Object({ ins_code: T.String(), name: T.String(), nameEn: T.String() })

export const RecipientList = T.Object(
  {
    listId: Id,
    name: T.String(),
    own: T.Boolean({ description: 'false: shared by a colleague' }),
    keeper: T.String({ description: 'name of the owner' }),
    keeperEn: T.String(),
    sharedWith: Nullable(Place),
    members: T.Integer({ description: 'number of members the caller may send to' }),
  },
  { $id: 'RecipientList' },
)
export type RecipientList = Static<typeof RecipientList>

export const RecipientCourse = T.Object(
  {
    courseId: Id,
    name: T.String(),
    nameEn: T.String(),
    code: T.String(),
    term: T.String(),
    termEn: T.String(),
    teachers: T.Array(T.Object({ name: T.String(), nameEn: T.String() }), {
      description: 'at most three; they tell groups of one course apart',
    }),
    members: T.Integer({ description: 'number of members the caller may send to' }),
  },
  { $id: 'RecipientCourse' },
)
export type RecipientCourse = Static<typeof RecipientCourse>

export const RecipientEvent = T.Object(
  {
    eventId: Id,
    title: T.String(),
    titleEn: T.String(),
    startsAt: Time,
    members: T.Integer({ description: 'number of participants the caller may send to' }),
    external: T.Integer({ description: 'number of external participants, by email' }),
  },
  { $id: 'RecipientEvent' },
)
export type RecipientEvent = Static<typeof RecipientEvent>

const keyWords = T.Optional(T.String({ maxLength: 60 }))
const lists = '/message/center/api/v1/onlineSend/lists'
const params = T.Object({ listId: Id })
const name = T.String({ minLength: 1, maxLength: 30, pattern: '\\S' })

/**
 * Recipient groups a sender can choose: own lists (the sender's contact groups), lists shared by colleagues, courses
 * and events. Membership is evaluated when the message is sent.
 */
export const recipientGroups = {
  lists: get(lists, {
    summary: "List the caller's own lists, and those shared with the caller's department",
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({
      list: T.Array(RecipientList),
      more: T.Boolean(),
      places: T.Array(Place, {
        description: 'organisations the caller may share with: from their own upwards',
      }),
    }),
    errors: ['session.forbidden'],
  }),
  list: get(`${lists}/{listId}`, {
    summary: 'Get a list with the people the caller may send to',
    access: 'member',
    params,
    reply: T.Interface([RecipientList], { people: T.Array(SendingPerson) }),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  createList: post(lists, {
    summary: 'Create a list with the given people',
    access: 'member',
    body: T.Object({
      name,
      accountNames: T.Optional(T.Array(Username, { maxItems: maxPeopleAtOnce })),
    }),
    reply: T.Object({ listId: Id, added: T.Integer() }),
    errors: ['session.forbidden', 'address_book.group_exists', 'address_book.groups_full'],
  }),
  updateList: put(`${lists}/{listId}`, {
    summary: "Rename one of the caller's lists, and set whom it is shared with",
    access: 'member',
    params,
    body: T.Object({
      name,
      sharedWith: Nullable(
        T.String({
          minLength: 1,
          maxLength: 100,
          description: 'code of an organisation from `places`',
        }),
      ),
    }),
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found', 'address_book.group_exists'],
  }),
  removeList: del(`${lists}/{listId}`, {
    summary: "Delete one of the caller's lists",
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  addToList: post(`${lists}/{listId}/people`, {
    summary: 'Add people to a list; those the caller may not send to are left out',
    access: 'member',
    params,
    body: T.Object({
      accountNames: T.Array(Username, { minItems: 1, maxItems: maxPeopleAtOnce }),
    }),
    reply: T.Object({ added: T.Integer() }),
    errors: ['session.forbidden', 'sending.list_not_found', 'address_book.group_full'],
  }),
  leaveOutOfList: del(`${lists}/{listId}/people/{accountName}`, {
    summary: 'Remove a person from a list',
    access: 'member',
    params: T.Object({ listId: Id, accountName: Username }),
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  courses: get('/message/center/api/v1/onlineSend/courses', {
    summary: 'List the courses the caller teaches or may send to, newest term first',
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({ list: T.Array(RecipientCourse), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
  events: get('/message/center/api/v1/onlineSend/events', {
    summary: "List events with participants that belong to the caller or the caller's departments",
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({ list: T.Array(RecipientEvent), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
}
