import {
  CursorPage,
  cursorQuery,
  del,
  get,
  Icon,
  Id,
  Nullable,
  OneOf,
  post,
  type Static,
  T,
  Time,
} from '../define.ts'

/** A message application in the message list, with its last message. */
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
    lastMessage: Nullable(
      T.Object({ id: Id, title: T.String(), titleEn: T.String(), sentAt: Time }),
    ),
  },
  { $id: 'MessageApp' },
)
export type MessageApp = Static<typeof MessageApp>

const MessageChoice = T.Object({ value: T.String(), text: T.String(), textEn: T.String() })
const MessageLink = T.Object({ text: T.String(), textEn: T.String(), url: T.String() })

export const MessageSummary = T.Object(
  {
    id: Id,
    appId: Id,
    appName: T.String(),
    appNameEn: T.String(),
    typeCode: T.String({ description: 'kind of the message' }),
    title: T.String(),
    titleEn: T.String({ description: 'empty: not translated' }),
    summary: T.String(),
    summaryEn: T.String(),
    sentAt: Time,
    read: T.Boolean(),
    starred: T.Boolean(),
    urgent: T.Boolean(),
    waiting: T.Boolean({ description: 'waiting for a confirmation or an answer' }),
    // the response that can be given from the list now; null if none is pending or it is too late
    asked: T.Optional(
      Nullable(
        T.Object({
          confirm: T.Boolean({ description: 'true: a confirmation, false: one of the choices' }),
          choices: T.Array(MessageChoice),
        }),
      ),
    ),
    // first of the message's actions, for a button in the list
    link: T.Optional(Nullable(MessageLink)),
  },
  { $id: 'MessageSummary' },
)
export type MessageSummary = Static<typeof MessageSummary>

export const Message = T.Interface(
  [MessageSummary],
  {
    content: T.String({ description: 'sanitised HTML' }),
    contentEn: T.String(),
    sender: T.String(),
    senderEn: T.String(),
    url: T.String(),
    actions: T.Array(MessageLink),
    choices: T.Array(MessageChoice),
    answer: Nullable(T.String({ description: 'value of the chosen answer' })),
    asksConfirmation: T.Boolean(),
    confirmedAt: Nullable(Time),
    confirmUntil: Nullable(Time),
    validUntil: Nullable(Time),
    attachments: T.Array(
      T.Object({
        id: Id,
        name: T.String(),
        url: T.String({ description: 'signed, valid for ten minutes' }),
        size: T.Integer({ description: 'bytes' }),
        mediaType: T.String(),
      }),
    ),
  },
  { $id: 'Message' },
)
export type Message = Static<typeof Message>

export const MessageKind = T.Object(
  {
    appId: Id,
    appName: T.String(),
    appNameEn: T.String(),
    typeCode: T.String(),
    name: T.String(),
    nameEn: T.String(),
  },
  { $id: 'MessageKind' },
)
export type MessageKind = Static<typeof MessageKind>

/** Why a message reached its reader. */
export const MessageReason = T.Object(
  {
    sender: T.String({ description: 'system or part of the portal that sent it' }),
    senderEn: T.String(),
    typeCode: T.String(),
    typeName: T.String(),
    typeNameEn: T.String(),
    chosenBy: OneOf(['name', 'rule'], { default: 'name' }),
    rule: Nullable(
      T.Object({
        kind: OneOf(['everybody', 'identity', 'organization', 'group', 'account']),
        name: T.String(),
        nameEn: T.String(),
      }),
    ),
    appId: Id,
    disturbed: T.Boolean({ description: 'the application is muted' }),
  },
  { $id: 'MessageReason' },
)
export type MessageReason = Static<typeof MessageReason>

const Ids = T.Array(Id, { minItems: 1, maxItems: 200 })
const changed = { changed: T.Integer() }
/** Messages deleted together can be restored together. */
const Deleted = T.Object({ ...changed, deletedAt: T.String({ description: 'for restore' }) })

export const messages = {
  apps: get('/message/center/api/v1/instantMessage/appList', {
    summary:
      'List the message applications with last message and unread count: pinned ones first, then newest',
    access: 'member',
    reply: T.Array(MessageApp),
  }),
  unreadTotal: get('/message/center/api/v1/messageCenter/getAllUnReadCount', {
    summary: 'Get the number of unread messages, without muted applications',
    access: 'member',
    query: T.Object({ mobile: T.Optional(T.String({ maxLength: 10 })) }),
    reply: T.Integer(),
  }),
  unreadByApp: get('/message/center/api/v1/instantMessage/unreadCount', {
    summary: 'List the numbers of unread messages by application, including muted ones',
    access: 'member',
    reply: T.Array(T.Object({ appId: Id, unreadCount: T.Integer(), disturbed: T.Boolean() })),
  }),
  unread: get('/message/center/api/v1/messageCenter/getUnReadedCount', {
    summary: 'Get the number of unread messages, without and with muted applications',
    access: 'member',
    reply: T.Object({ unread: T.Integer(), withMuted: T.Integer() }),
  }),
  list: get('/message/center/api/v1/messageCenter/listMessageRecord', {
    summary: "List the member's messages, newest first",
    access: 'member',
    query: T.Object({
      appId: T.Optional(Id),
      typeCode: T.Optional(T.String({ maxLength: 60 })),
      unread: T.Optional(T.Boolean()),
      starred: T.Optional(T.Boolean()),
      keyWords: T.Optional(
        T.String({
          maxLength: 100,
          description: 'words in title, summary or sender; all must match',
        }),
      ),
      ...cursorQuery,
    }),
    reply: CursorPage(MessageSummary),
    errors: ['request.invalid'],
  }),
  read: get('/message/center/api/v1/messageCenter/getMessageRecord', {
    summary: 'Get a message',
    access: 'member',
    query: T.Object({ id: Id }),
    reply: Message,
    errors: ['message.not_found'],
  }),
  reason: get('/message/center/api/v1/messageCenter/messageRecordReason', {
    summary: 'Get why the member received a message',
    access: 'member',
    query: T.Object({ id: Id }),
    reply: MessageReason,
    errors: ['message.not_found'],
  }),
  markRead: post('/message/center/api/v1/messageCenter/messageRecordReaded', {
    summary: 'Mark messages as read; returns how many were unread',
    access: 'member',
    body: T.Object({ ids: Ids }),
    reply: T.Object(changed),
  }),
  markAllRead: post('/message/center/api/v1/messageCenter/messageRecordReadedByAccountName', {
    summary: 'Mark all messages as read, or all of one application',
    access: 'member',
    body: T.Object({ appId: T.Optional(Id) }),
    reply: T.Object(changed),
  }),
  star: post('/message/center/api/v1/messageCenter/messageRecordStar', {
    summary: 'Star or unstar a message',
    access: 'member',
    body: T.Object({ id: Id, star: T.Boolean() }),
    reply: T.Object(changed),
    errors: ['message.not_found'],
  }),
  remove: del('/message/center/api/v1/messageCenter/messageRecordStatus', {
    summary: "Delete messages from the member's list",
    access: 'member',
    body: T.Object({ ids: Ids }),
    reply: Deleted,
  }),
  removeApp: post('/message/center/api/v1/messageCenter/deleteMsgApp', {
    summary: 'Delete all messages of an application; it reappears with the next message',
    access: 'member',
    body: T.Object({ appId: Id }),
    reply: Deleted,
  }),
  restore: post('/message/center/api/v1/messageCenter/messageRecordRestore', {
    summary: 'Undo a deletion, within 30 days',
    access: 'member',
    body: T.Object({ deletedAt: T.String({ format: 'date-time' }) }),
    reply: T.Object(changed),
  }),
  confirm: post('/message/center/api/v1/messageCenter/messageRecordConfirm', {
    summary: 'Confirm a message that requires it; repeating it changes nothing',
    access: 'member',
    body: T.Object({ id: Id }),
    reply: T.Object({ confirmedAt: Time }),
    errors: ['message.not_found', 'message.nothing_asked', 'message.too_late'],
  }),
  answer: post('/message/center/api/v1/messageCenter/messageRecordAnswer', {
    summary: 'Answer a message with one of its choices; repeating the same answer changes nothing',
    access: 'member',
    body: T.Object({ id: Id, value: T.String({ minLength: 1, maxLength: 60 }) }),
    reply: T.Object({ answer: T.String() }),
    errors: ['message.not_found', 'message.nothing_asked', 'message.too_late', 'message.answered'],
  }),
  top: post('/message/center/api/v1/instantMessage/top', {
    summary: 'Pin an application to the top',
    access: 'member',
    body: T.Object({ appId: Id }),
    reply: T.Null(),
    errors: ['message.app_not_found'],
  }),
  topCancel: post('/message/center/api/v1/instantMessage/topCancel', {
    summary: 'Unpin an application',
    access: 'member',
    body: T.Object({ appId: Id }),
    reply: T.Null(),
    errors: ['message.app_not_found'],
  }),
  disturbed: post('/message/center/api/v1/instantMessage/disturbed', {
    summary: 'Mute or unmute an application',
    access: 'member',
    body: T.Object({ appId: Id, disturbed: T.Boolean({ description: 'true: muted' }) }),
    reply: T.Null(),
    errors: ['message.app_not_found'],
  }),
  kinds: get('/message/center/api/v1/instantMessage/typeName', {
    summary: 'List the kinds of messages the member has received',
    access: 'member',
    query: T.Object({ appId: T.Optional(Id) }),
    reply: T.Array(MessageKind),
  }),
}
