import { webview } from '@atrium/contract/shell/webview'
import { useQuery } from '@tanstack/react-query'
import { call } from '#lib/api.ts'
import { environment } from '#lib/environment.ts'
import { callContainer } from '#shell/container/container.ts'
import { back } from '#shell/navigation/navigation.ts'

/**
 * The address to load for a page with single sign-on, requested once each time the page is opened: tokens are valid for
 * two minutes. 'elsewhere': a host app has opened it with the tokens, and our page is left.
 */
export const useSignOn = (url: string, title: string) =>
  useQuery({
    queryKey: ['sign-on', url],
    queryFn: () => signOn(url, title),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
  })

async function signOn(url: string, title: string) {
  const opened = await call(webview.open, {
    body: { url, platformType: String(environment.terminalCode) },
  })
  if (opened.tokens.length === 0) return opened
  try {
    const tokens = opened.tokens.map(({ type, key, value }) => ({ type, key, value }))
    await callContainer('openService', { url: opened.url, title, tokens })
    back()
    return 'elsewhere'
  } catch {
    // The app cannot send the tokens: pass them in the address, as in a browser.
    return call(webview.open, { body: { url, platformType: 'h5' } })
  }
}
