import { get, Nullable, OneOf, post, type Static, T, Time } from '../define.ts'

export const Profile = T.Object(
  {
    userName: T.String({ description: 'the name people use' }),
    userNameEn: T.String(),
    accountName: T.String({ description: 'what one signs in with' }),
    accountId: T.String(),
    identityTypeCode: T.String(),
    identityTypeName: T.String(),
    identityTypeNameEn: T.String(),
    identityLabel: Nullable(OneOf(['admin', 'guest', 'student', 'teacher'])),
    organizationId: T.String(),
    organizationCode: T.String(),
    organizationName: T.String(),
    organizationNameEn: T.String(),
    mobile: T.String({ description: 'middle digits hidden' }),
    email: T.String({ description: 'partly hidden' }),
    portraitUrl: T.String(),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const ECard = T.Object(
  {
    balance: T.String({ description: 'decimal, in CNY' }),
    cardNo: T.String({ description: 'last four digits' }),
    asOf: Time,
  },
  { $id: 'ECard' },
)
export const Books = T.Object(
  {
    borrowed: T.Integer(),
    dueSoon: T.Integer(),
    list: T.Array(T.Object({ title: T.String(), dueOn: T.String() })),
  },
  { $id: 'Books' },
)
export const Mailbox = T.Object({ unread: T.Integer(), address: T.String() }, { $id: 'Mailbox' })

export const personal = {
  me: get('/personal/api/v1/personal/me/user', {
    summary: 'Who is signed in',
    access: 'member',
    reply: Profile,
  }),
  portrait: post('/personal/api/v1/personal/user/info/portrait', {
    summary: 'A new portrait: a picture, cut to a square and drawn anew',
    access: 'member',
    file: 'file',
    reply: T.Object({ portraitUrl: T.String() }),
    errors: [
      'file.empty',
      'file.too_large',
      'file.type_refused',
      'file.content_mismatch',
      'file.picture_too_large',
      'file.infected',
      'file.scanner_down',
      'file.upload_broken',
      'request.unsupported_media',
    ],
  }),
  eCard: get('/portal-api/v2/personalData/getMyECard', {
    summary: 'The campus card, or null where the member has none',
    access: 'member',
    reply: Nullable(ECard),
  }),
  books: get('/portal-api/v2/personalData/getMyBooks', {
    summary: 'Books on loan, or null where the library knows no such reader',
    access: 'member',
    reply: Nullable(Books),
  }),
  mailbox: get('/portal-api/v2/personalData/getMailbox', {
    summary: 'Unread mail, or null without a mailbox',
    access: 'member',
    reply: Nullable(Mailbox),
  }),
}
