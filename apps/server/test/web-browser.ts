import { demoPassword } from './test-app.ts'

/** A browser over the network: stores cookies by origin and follows redirects between systems. */
export function webBrowser() {
  const jars = new Map<string, Map<string, string>>()
  const visited: string[] = []
  async function open(address: string, form?: Record<string, string>) {
    let url = new URL(address)
    let body = form && new URLSearchParams(form)
    for (let hop = 0; hop < 10; hop++) {
      visited.push(url.href)
      const jar = jars.get(url.origin) ?? new Map<string, string>()
      jars.set(url.origin, jar)
      const answer = await fetch(url, {
        redirect: 'manual',
        method: body ? 'POST' : 'GET',
        ...(body && { body }),
        headers: {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
          // As if typed by the member, not opened by a site.
          ...(visited.at(-1) === address && !body && { 'sec-fetch-site': 'none' }),
        },
      })
      for (const cookie of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
        if (value) jar.set(name, value)
        else jar.delete(name)
      }
      const location = answer.headers.get('location')
      if (!location) return { url: url.href, status: answer.status, body: await answer.text() }
      url = new URL(location, url)
      body = undefined
    }
    throw new Error(`led on and on: ${visited.slice(-3).join(' ')}`)
  }
  return {
    visited,
    open,
    /** Fills in the central login form the browser was led to. */
    async signIn(page: { url: string; body: string }, username: string) {
      const hidden = [...page.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
      const fields = Object.fromEntries(
        hidden.map(([, name, value]) => [name, (value ?? '').replaceAll('&amp;', '&')]),
      )
      return open(new URL('/cas/login', page.url).href, {
        ...fields,
        username,
        password: demoPassword,
      })
    },
  }
}
