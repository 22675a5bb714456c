import type { Environment } from '#platform/environment.ts'

type Values = Pick<
  Environment,
  | 'ATRIUM_SMS'
  | (`ATRIUM_SMS_${string}` & keyof Environment)
  | 'ATRIUM_MAIL_URL'
  | 'ATRIUM_MAIL_FROM'
  | 'ATRIUM_MAIL_REPLIES'
  | 'ATRIUM_MAIL_REPLY_TO'
>

/** The settings still missing for the chosen way of sending messages. */
export function messageIssues(values: Values): string[] {
  const needed = {
    none: [],
    http: ['ATRIUM_SMS_URL'],
    aliyun: [
      'ATRIUM_SMS_KEY_ID',
      'ATRIUM_SMS_KEY_SECRET',
      'ATRIUM_SMS_SIGN',
      'ATRIUM_SMS_TEMPLATES',
    ],
    tencent: [
      'ATRIUM_SMS_KEY_ID',
      'ATRIUM_SMS_KEY_SECRET',
      'ATRIUM_SMS_SIGN',
      'ATRIUM_SMS_APP_ID',
      'ATRIUM_SMS_TEMPLATES',
    ],
  } as const
  const missing = needed[values.ATRIUM_SMS].filter((name) => !values[name])
  return [
    ...(missing.length > 0
      ? [`ATRIUM_SMS is ${values.ATRIUM_SMS}, which needs ${missing.join(', ')}.`]
      : []),
    ...(!values.ATRIUM_MAIL_URL !== !values.ATRIUM_MAIL_FROM
      ? ['ATRIUM_MAIL_URL and ATRIUM_MAIL_FROM must be set together.']
      : []),
    ...(!values.ATRIUM_MAIL_REPLIES !== !values.ATRIUM_MAIL_REPLY_TO
      ? ['ATRIUM_MAIL_REPLIES and ATRIUM_MAIL_REPLY_TO must be set together.']
      : []),
  ]
}
