import { get, Nullable, OneOf, post, put, type Static, T } from '../define.ts'

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
    number: T.Optional(
      T.String({ description: 'at the institution, of a student or an employee; empty: none' }),
    ),
    editable: T.Optional(
      T.Array(T.String(), { description: 'fields that the member may change: userNameEn' }),
    ),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const personal = {
  me: get('/personal/api/v1/personal/me/user', {
    summary: 'Who is signed in',
    access: 'member',
    reply: Profile,
  }),
  change: put('/personal/api/v1/personal/me/user', {
    summary: 'Change what the source of the account leaves to the member',
    access: 'member',
    body: T.Object({
      userNameEn: T.String({ maxLength: 100, pattern: "^[\\p{L}\\p{M}\\p{N} .,'’·-]*$" }),
    }),
    reply: Profile,
    errors: ['request.invalid', 'personal.not_editable'],
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
}
