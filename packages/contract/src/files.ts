import { get, Id, T } from './define.ts'

const signed = {
  expires: T.Optional(T.String({ pattern: '^[0-9]{1,12}$' })),
  signature: T.Optional(T.String({ maxLength: 100 })),
}

export const files = {
  read: get('/files/{id}', {
    summary: 'A file: a public one by its key, any other by a signed address of ten minutes',
    access: 'public',
    params: T.Object({ id: Id }),
    query: T.Object(signed),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found'],
  }),
  readNamed: get('/files/{id}/{name}', {
    summary: 'The same with any name at its end, for those who tell films from pictures by it',
    access: 'public',
    params: T.Object({ id: Id, name: T.String({ pattern: '^[\\w.-]{1,100}$' }) }),
    query: T.Object(signed),
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: ['file.not_found'],
  }),
}
