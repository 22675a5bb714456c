import {
  CursorPage,
  cursorQuery,
  get,
  Icon,
  Id,
  Nullable,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'

/** A message application as the message list shows it, with its last message. */
export const MessageApp = T.Object(
  {
    appId: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    icon: Icon,
    unreadCount: T.Integer(),
    topped: T.Boolean(),
    disturbed: T.Boolean({ description: 'true: muted' }),
    lastMessage: Nullable(T.Object({ id: Id, title: T.String(), sentAt: Time })),
  },
  { $id: 'MessageApp' },
)
export type MessageApp = Static<typeof MessageApp>

export const MessageLine = T.Object(
  {
    id: Id,
    appId: Id,
    appName: T.String(),
    appNameEn: T.String(),
    title: T.String(),
    summary: T.String(),
    sentAt: Time,
    read: T.Boolean(),
    starred: T.Boolean(),
  },
  { $id: 'MessageLine' },
)
export type MessageLine = Static<typeof MessageLine>

export const Message = T.Interface(
  [MessageLine],
  { content: T.String({ description: 'sanitised HTML' }), sender: T.String(), url: T.String() },
  { $id: 'Message' },
)
export type Message = Static<typeof Message>

const Ids = T.Array(Id, { minItems: 1, maxItems: 200 })

export const messages = {
  apps: get('/message/center/api/v1/instantMessage/appList', {
    summary: 'Message applications with last message and unread count, topped first, then newest',
    access: 'member',
    reply: T.Array(MessageApp),
  }),
  unreadTotal: get('/message/center/api/v1/messageCenter/getAllUnReadCount', {
    summary: 'How many messages are unread; muted applications do not count',
    access: 'member',
    query: T.Object({ mobile: T.Optional(T.String({ maxLength: 10 })) }),
    reply: T.Integer(),
  }),
  unreadCounts: post('/message/center/api/v1/instantMessage/getAppAllUnReadCount/new', {
    summary: 'Unread messages and waiting tasks, for the badges',
    access: 'member',
    body: T.Object({}),
    reply: T.Object({ messages: T.Integer(), tasks: T.Integer(), total: T.Integer() }),
  }),
  list: get('/message/center/api/v1/messageCenter/listMessageRecord', {
    summary: "The member's messages, newest first",
    access: 'member',
    query: T.Object({
      appId: T.Optional(Id),
      unread: T.Optional(T.Boolean()),
      starred: T.Optional(T.Boolean()),
      ...cursorQuery,
    }),
    reply: CursorPage(MessageLine),
    errors: ['request.invalid'],
  }),
  read: get('/message/center/api/v1/messageCenter/getMessageRecord', {
    summary: 'One message',
    access: 'member',
    query: T.Object({ id: Id }),
    reply: Message,
    errors: ['message.not_found'],
  }),
  markRead: post('/message/center/api/v1/messageCenter/messageRecordReaded', {
    summary: 'Mark messages as read; answers how many were unread',
    access: 'member',
    body: T.Object({ ids: Ids }),
    reply: T.Object({ changed: T.Integer() }),
  }),
  markAllRead: post('/message/center/api/v1/messageCenter/messageRecordReadedByAccountName', {
    summary: 'Mark every message as read, or every one of an application',
    access: 'member',
    body: T.Object({ appId: T.Optional(Id) }),
    reply: T.Object({ changed: T.Integer() }),
  }),
}
