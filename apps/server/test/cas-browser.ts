import { centralLogin, ticketValidation } from '@atrium/contract/sso/central-login'
import type { FastifyInstance } from 'fastify'
import { demoPassword } from './test-app.ts'

/** A browser at the central login: stores cookies and submits forms as on the page, but follows no redirects. */
export function casBrowser(app: FastifyInstance, language = 'en') {
  const jar = new Map<string, string>()
  async function send({
    type = 'application/x-www-form-urlencoded',
    ...options
  }: {
    method: 'GET' | 'POST'
    url: string
    query?: Record<string, string>
    payload?: string
    headers?: Record<string, string>
    /** content type; default: a form */
    type?: string
  }) {
    const answer = await app.inject({
      ...options,
      headers: {
        'accept-language': language,
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(options.payload !== undefined && {
          'content-type': type,
        }),
        ...options.headers,
      },
    })
    for (const { name, value } of answer.cookies)
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    return answer
  }
  type Page = Awaited<ReturnType<typeof send>>
  const open = (query: Record<string, string> = {}) =>
    send({ method: 'GET', url: centralLogin.show.path, query })
  /** Submits the form of a page with these fields. */
  const post = (page: Page, fields: Record<string, string>) => {
    const hidden = [...page.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    return send({
      method: 'POST',
      url: /<form method="post" action="([^"]+)"/.exec(page.body)?.[1] ?? '',
      payload: new URLSearchParams({
        ...Object.fromEntries(hidden.map(([, name, value]) => [name, unescaped(value ?? '')])),
        ...fields,
      }).toString(),
    })
  }
  return {
    jar,
    send,
    open,
    post,
    async signIn(
      query: Record<string, string> = {},
      { username = 'student', ...fields }: Record<string, string> = {},
    ) {
      return post(await open(query), { username, password: demoPassword, ...fields })
    },
    /** @param site value of Sec-Fetch-Site; `none`: the member typed the address */
    logout: (query: Record<string, string> = {}, site = 'none') =>
      send({
        method: 'GET',
        url: centralLogin.logout.path,
        query,
        headers: { 'sec-fetch-site': site },
      }),
  }
}

const unescaped = (text: string) =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

export function ticketOf({ headers: { location } }: { headers: Record<string, unknown> }): string {
  if (typeof location !== 'string') return ''
  return new URL(location, 'http://x').searchParams.get('ticket') ?? ''
}

/** Validates a ticket, as a service does. */
export async function validateTicket(
  app: FastifyInstance,
  query: Record<string, string | string[]>,
  how: Exclude<keyof typeof ticketValidation, 'samlValidate'> = 'p3ServiceValidate',
) {
  const answer = await app.inject({ url: ticketValidation[how].path, query })
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: answer.body,
    user: /<cas:user>([^<]*)</.exec(answer.body)?.[1],
    failure: /code="(\w+)"/.exec(answer.body)?.[1],
  }
}
