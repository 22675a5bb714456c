import { get, Nullable, OneOf, post, type Static, T } from '../define.ts'

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
}
