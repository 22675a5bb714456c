import { get, T } from '../define.ts'

export const images = {
  read: get('/thumbor/*', {
    summary:
      'Resize a picture: /thumbor/{unsafe or signature}/[fit-in/][WxH/][filters:f(x):g()/]{picture}',
    access: 'public',
    media: 'application/octet-stream',
    reply: T.Unsafe<Uint8Array>({ type: 'string', format: 'binary' }),
    errors: [
      'image.address_invalid',
      'image.source_refused',
      'image.not_found',
      'image.too_large',
      'image.unsupported',
      'image.source_failed',
      'image.source_slow',
      'image.busy',
    ],
  }),
}
