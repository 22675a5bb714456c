import { CursorPage, cursorQuery, get, put, type Static, T, Username } from '../define.ts'

const fields = {
  title: T.String({
    maxLength: 60,
    default: '',
    description: 'function of the person, such as 辅导员',
  }),
  titleEn: T.String({ maxLength: 100, default: '' }),
  officePhone: T.String({ maxLength: 40, default: '', pattern: '^[0-9+() -]*$' }),
  office: T.String({ maxLength: 100, default: '' }),
  officeEn: T.String({ maxLength: 100, default: '' }),
  position: T.Integer({
    minimum: 0,
    maximum: 9999,
    default: 9999,
    description: 'order within the organisation; people with equal values are sorted by name',
  }),
}

export const BookPost = T.Object({ accountName: T.String(), ...fields }, { $id: 'BookPost' })
export type BookPost = Static<typeof BookPost>

const operator = { access: 'operator', permission: 'identity', delegated: true } as const

/** A member's post and office in an organisation. */
export const bookPosts = {
  list: get('/console-api/v1/addressBook/posts', {
    ...operator,
    summary: "List the posts in the caller's organisations, by account name",
    query: T.Object({ organization: T.Optional(T.String({ maxLength: 100 })), ...cursorQuery }),
    reply: CursorPage(BookPost),
  }),
  put: put('/console-api/v1/addressBook/posts', {
    ...operator,
    summary: 'Set the posts of up to 500 accounts, all or none; a post without any text is removed',
    body: T.Object({
      posts: T.Array(T.Object({ accountName: Username, ...fields }), {
        minItems: 1,
        maxItems: 500,
      }),
    }),
    reply: T.Object({ changed: T.Integer() }),
  }),
}
