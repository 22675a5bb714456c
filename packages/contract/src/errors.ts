/**
 * Every error the API can answer: its stable name and its HTTP status. The words for people stand per language in
 * `error-texts.ts`; a code without a text in both languages does not compile.
 */
export const errors = {
  'request.invalid': 400,
  'request.too_large': 413,
  'request.unsupported_media': 415,
  'request.not_found': 404,
  'request.method_not_allowed': 405,
  'request.too_many': 429,
  'server.failed': 500,
  'server.unavailable': 503,
  'session.required': 401,
  'session.expired': 401,
  'session.forbidden': 403,
  'login.refused': 401,
  'login.not_activated': 403,
  'login.too_many': 429,
  'login.form_expired': 403,
  'ticket.invalid': 401,
  'ticket.service_refused': 403,
  'config.key_unknown': 404,
  'config.value_invalid': 400,
  'service.not_found': 404,
  'service.unavailable': 403,
  'news.not_found': 404,
  'news.column_not_found': 404,
  'message.not_found': 404,
  'message.app_not_found': 404,
  'task.not_found': 404,
  'event.not_found': 404,
  'event.range_too_long': 400,
  'file.not_found': 404,
} as const
export type ErrorCode = keyof typeof errors
