import { get, Id, T } from './define.ts'

export const files = {
  read: get('/files/{id}', {
    summary: 'A file: a public one by its key, any other by a signed address of ten minutes',
    access: 'public',
    params: T.Object({ id: Id }),
    query: T.Object({
      expires: T.Optional(T.String({ pattern: '^[0-9]{1,12}$' })),
      signature: T.Optional(T.String({ maxLength: 100 })),
    }),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found'],
  }),
}
