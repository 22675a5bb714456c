import './web-page.css'
import { webview } from '@atrium/contract/shell/webview'
import { readWebAddress } from '@atrium/rules/web-address'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { findLoadedScreen } from '#shell/navigation/screens.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ExternalOnlyNotice, LeavingNotice, RefusedNotice, UnreachableNotice } from './notices.tsx'
import { useSignOn } from './sign-on.ts'
import { WebFrame, type WebFrameProps } from './web-frame.tsx'

type WebPageProps = {
  address: string
  /** Used until the page sets its own title; defaults to the name of the service, or the host. */
  title?: string | undefined
  /** Replaces one of the five tabs. */
  tab?: boolean | undefined
}

/** A web page inside the app, or the reason why it cannot be shown. The server decides how the address opens. */
export function WebPage({ address, ...rest }: WebPageProps) {
  const url = readWebAddress(address, location.origin)
  const ours = url?.origin === location.origin
  // A web-view page inside another could nest endlessly.
  if (url && !(ours && url.pathname.startsWith('/pages/webview/'))) {
    const title = rest.title || (ours && findLoadedScreen(url.pathname)?.title()) || undefined
    return <CheckedPage url={url.href} {...rest} title={title} />
  }
  return (
    <Page title={rest.title}>
      <RefusedNotice />
    </Page>
  )
}

function CheckedPage({ url, title, tab }: Omit<WebPageProps, 'address'> & { url: string }) {
  // Never refetched: a page in use must not change because a later answer differs.
  const query = useQuery({
    ...q(webview.check, { query: { url } }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  const [triedAnyway, tryAnyway] = useState(false)
  const { data } = query
  if (data?.kind === 'framed' && (isFrameable(data.framing) || triedAnyway)) {
    const name = data.service && inLanguage(data.service.name, data.service.nameEn)
    const page = { title: title || name || data.host, tab }
    return data.signOn ? (
      <SignedOnPage address={data} {...page} />
    ) : (
      <WebFrame address={data} {...page} />
    )
  }
  return (
    <Page title={title}>
      <div className="column">
        <QueryView query={query}>
          {(answer) => {
            if (answer.kind === 'refused') return <RefusedNotice />
            if (answer.kind === 'leaving') return <LeavingNotice address={answer} />
            if (answer.framing === 'refused') return <ExternalOnlyNotice address={answer} />
            return <UnreachableNotice address={answer} onTry={() => tryAnyway(true)} />
          }}
        </QueryView>
      </div>
    </Page>
  )
}

/** Loads the address with which the member is signed on; if that fails, the page itself, which asks to sign in. */
function SignedOnPage({ address, ...page }: WebFrameProps) {
  const { data, isPending } = useSignOn(address.url, page.title)
  if (isPending || data === 'elsewhere')
    return (
      <Page title={page.title}>
        <div className="column">
          <Skeleton rows={5} label={m.webview_loading()} />
        </div>
      </Page>
    )
  if (!data) return <WebFrame address={address} {...page} />
  const opened = { ...address, url: data.url }
  if (data.framed) return <WebFrame address={opened} {...page} />
  return (
    <Page title={page.title}>
      <div className="column">
        <ExternalOnlyNotice address={opened} />
      </div>
    </Page>
  )
}

const isFrameable = (framing: string) => framing === 'allowed' || framing === 'unknown'
