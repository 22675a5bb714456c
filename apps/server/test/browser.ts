import type { FastifyInstance } from 'fastify'

/** A browser between us and an external login: follows redirects and stores cookies for both sides. */
export function openBrowser(app: FastifyInstance, origin: string) {
  const ours = new Map<string, { value: string; path: string }>()
  const theirs = new Map<string, string>()

  /** Sends a request to our server with the cookies of its path. */
  async function visit(
    url: string,
    options: { method?: 'GET' | 'POST' | 'DELETE'; payload?: object; headers?: object } = {},
  ) {
    const path = url.split('?')[0] ?? ''
    const cookie = [...ours]
      .filter(([, { path: below }]) => path.startsWith(below))
      .map(([name, { value }]) => `${name}=${value}`)
      .join('; ')
    const answer = await app.inject({
      url,
      method: options.method ?? 'GET',
      ...(options.payload && { payload: options.payload }),
      headers: { ...(cookie && { cookie }), ...options.headers },
    })
    for (const { name, value, path = '/', maxAge, expires } of answer.cookies) {
      if (value === '' || maxAge === 0 || (expires && expires.getTime() < Date.now()))
        ours.delete(name)
      else ours.set(name, { value, path })
    }
    return answer
  }

  /** Follows redirects outside until they lead back to us. @returns our address with its query */
  async function follow(address: string): Promise<string> {
    let url = new URL(address)
    for (let hop = 0; hop < 10; hop++) {
      if (url.origin === origin) return url.pathname + url.search
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie: [...theirs].map(([name, value]) => `${name}=${value}`).join('; ') },
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') theirs.delete(name)
        else theirs.set(name, value)
      }
      const location = answer.headers.get('location')
      if (!location) throw new Error(`${url} answers ${answer.status}: ${await answer.text()}`)
      url = new URL(location, url)
    }
    throw new Error('it never ends')
  }

  return { visit, follow, ours, theirs }
}

/** The fields in the fragment of a redirect. */
export const fragmentOf = (location: unknown) =>
  Object.fromEntries(new URLSearchParams(String(location).split('#')[1] ?? ''))
