import { del, get, Id, Nullable, post, put, type Static, T, Time, Username } from '../../define.ts'
import { SendingPerson } from '../sending.ts'

/** Maximum people added to a list per call. */
export const maxPeopleAtOnce = 200

export const Place = T.Object({ ins_code: T.String(), name: T.String(), nameEn: T.String() })

export const RecipientList = T.Object(
  {
    listId: Id,
    name: T.String(),
    own: T.Boolean({ description: 'false: a colleague keeps it and shares it' }),
    keeper: T.String({ description: 'who keeps it' }),
    keeperEn: T.String(),
    sharedWith: Nullable(Place),
    members: T.Integer({ description: 'whom of it the caller may send to' }),
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
    members: T.Integer({ description: 'whom of it the caller may send to' }),
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
    members: T.Integer({ description: 'participants whom the caller may send to' }),
    external: T.Integer({ description: 'participants outside, by email' }),
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
    summary: 'Lists of people: the caller’s own, and those shared with their department',
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({
      list: T.Array(RecipientList),
      more: T.Boolean(),
      places: T.Array(Place, { description: 'with whom the caller may share: from their own up' }),
    }),
    errors: ['session.forbidden'],
  }),
  list: get(`${lists}/{listId}`, {
    summary: 'A list with those of its people whom the caller may send to',
    access: 'member',
    params,
    reply: T.Interface([RecipientList], { people: T.Array(SendingPerson) }),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  createList: post(lists, {
    summary: 'A new list of the caller’s own, with these people',
    access: 'member',
    body: T.Object({
      name,
      accountNames: T.Optional(T.Array(Username, { maxItems: maxPeopleAtOnce })),
    }),
    reply: T.Object({ listId: Id, added: T.Integer() }),
    errors: ['session.forbidden', 'address_book.group_exists', 'address_book.groups_full'],
  }),
  updateList: put(`${lists}/{listId}`, {
    summary: 'Another name for a list of the caller’s own, and with whom it is shared',
    access: 'member',
    params,
    body: T.Object({
      name,
      sharedWith: Nullable(
        T.String({ minLength: 1, maxLength: 100, description: 'an organisation of `places`' }),
      ),
    }),
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found', 'address_book.group_exists'],
  }),
  removeList: del(`${lists}/{listId}`, {
    summary: 'No such list of the caller’s own any more',
    access: 'member',
    params,
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  addToList: post(`${lists}/{listId}/people`, {
    summary: 'Put people into a list; whoever may not be sent to is left out',
    access: 'member',
    params,
    body: T.Object({
      accountNames: T.Array(Username, { minItems: 1, maxItems: maxPeopleAtOnce }),
    }),
    reply: T.Object({ added: T.Integer() }),
    errors: ['session.forbidden', 'sending.list_not_found', 'address_book.group_full'],
  }),
  leaveOutOfList: del(`${lists}/{listId}/people/{accountName}`, {
    summary: 'Take somebody out of a list',
    access: 'member',
    params: T.Object({ listId: Id, accountName: Username }),
    reply: T.Null(),
    errors: ['session.forbidden', 'sending.list_not_found'],
  }),
  courses: get('/message/center/api/v1/onlineSend/courses', {
    summary: 'Courses that the caller teaches, or that they may send to, newest term first',
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({ list: T.Array(RecipientCourse), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
  events: get('/message/center/api/v1/onlineSend/events', {
    summary: 'Events of the caller, or of departments they look after, that have participants',
    access: 'member',
    query: T.Object({ keyWords }),
    reply: T.Object({ list: T.Array(RecipientEvent), more: T.Boolean() }),
    errors: ['session.forbidden'],
  }),
}
