import { get, Nullable, OneOf, post, put, type Static, T } from '../define.ts'

export const Profile = T.Object(
  {
    userName: T.String({ description: 'display name' }),
    userNameEn: T.String(),
    accountName: T.String({ description: 'username for sign-in' }),
    accountId: T.String(),
    identityTypeCode: T.String(),
    identityTypeName: T.String(),
    identityTypeNameEn: T.String(),
    identityLabel: Nullable(OneOf(['admin', 'guest', 'student', 'teacher'])),
    organizationId: T.String(),
    organizationCode: T.String(),
    organizationName: T.String(),
    organizationNameEn: T.String(),
    mobile: T.String({ description: 'middle digits masked' }),
    email: T.String({ description: 'partly masked' }),
    portraitUrl: T.String(),
    number: T.Optional(T.String({ description: 'student or staff number; empty: none' })),
    editable: T.Optional(
      T.Array(T.String(), { description: 'fields the member may change; only userNameEn' }),
    ),
  },
  { $id: 'Profile' },
)
export type Profile = Static<typeof Profile>

export const personal = {
  me: get('/personal/api/v1/personal/me/user', {
    summary: 'Get the profile of the signed-in member',
    access: 'member',
    reply: Profile,
  }),
  change: put('/personal/api/v1/personal/me/user', {
    summary: 'Change the profile fields the member may edit',
    access: 'member',
    body: T.Object({
      userNameEn: T.String({ maxLength: 100, pattern: "^[\\p{L}\\p{M}\\p{N} .,'’·-]*$" }),
    }),
    reply: Profile,
    errors: ['request.invalid', 'personal.not_editable'],
  }),
  portrait: post('/personal/api/v1/personal/user/info/portrait', {
    summary: 'Upload a portrait; it is cropped to a square and re-encoded',
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
