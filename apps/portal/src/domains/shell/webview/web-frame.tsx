import type { WebAddress } from '@atrium/contract/shell/webview'
import { useEffect, useRef, useState } from 'react'
import { getSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ExternalLink } from './external-link.tsx'
import { FrameBar } from './frame-bar.tsx'
import { type FrameRequest, readRequest } from './frame-requests.ts'
import { watchSteps } from './frame-steps.ts'

/**
 * Permissions of a page of another origin. It keeps that origin, or signing in there would be impossible. There is no
 * allow-top-navigation, so it cannot replace the whole app.
 */
const sandbox =
  'allow-scripts allow-same-origin allow-forms allow-modals allow-popups allow-popups-to-escape-sandbox allow-downloads'
/** Milliseconds after which an alternative is offered. */
const slowThreshold = 8000
/** Hosts whose hint was closed, until the app is restarted. */
const hintsClosed = new Set<string>()

export type WebFrameProps = {
  address: WebAddress
  /** Used until the page sets its own title. */
  title: string
  /** One of the five tabs, so there is nothing to go back to. */
  tab?: boolean | undefined
}

/** A web page in a frame that fills the screen below the bar. */
export function WebFrame({ address, title, tab = false }: WebFrameProps) {
  const url = new URL(address.url)
  const ours = url.origin === location.origin
  const frame = useRef<HTMLIFrameElement>(null)
  const [steps] = useState(watchSteps)
  const [moved, setMoved] = useState(false)
  const [loading, setLoading] = useState(true)
  const [round, setRound] = useState(0)
  const [ownTitle, setOwnTitle] = useState('')
  const slow = useLate(loading)
  const [hintClosed, closeHint] = useState(hintsClosed.has(address.host))
  const unsure = address.framing === 'unknown' && !loading

  useRequests(frame, url.origin, (request) => {
    if (request.do === 'setTitle') setOwnTitle(request.title)
    else if (request.do === 'openAddress') openAddress(request.address)
    else if (request.do === 'back') steps.stepBack()
    else if (!tab) steps.leave()
  })

  function onLoad() {
    steps.loaded()
    setMoved(steps.hasMoved())
    setLoading(false)
    // A members' page of ours has redirected to the central login, which must not be framed: redirect the whole app.
    if (ours && !getSession() && !isOwnPage(frame.current)) signIn()
  }
  function refresh() {
    steps.start()
    setMoved(false)
    setLoading(true)
    setRound(round + 1)
  }

  const name = ownTitle || title
  return (
    <Page bare title={name}>
      <div className={tab ? 'web-frame-page web-frame-page-tab' : 'web-frame-page'}>
        <FrameBar
          title={name}
          address={address}
          tab={tab}
          moved={moved}
          steps={steps}
          onRefresh={refresh}
        />
        {loading ? (
          <div className="web-frame-progress" role="progressbar" aria-label={m.webview_loading()} />
        ) : null}
        {(slow || unsure) && !hintClosed ? (
          <div className="web-frame-hint" role="status">
            <div>
              <p>{slow ? m.webview_slow() : m.webview_unsure()}</p>
              <ExternalLink className="button button-plain button-small" url={url.href}>
                {m.webview_open_outside()}
              </ExternalLink>
            </div>
            <IconButton
              label={m.webview_close_hint()}
              onClick={() => {
                hintsClosed.add(address.host)
                closeHint(true)
              }}
            >
              <Icon name="close" />
            </IconButton>
          </div>
        ) : null}
        <iframe
          key={round}
          ref={frame}
          className="web-frame"
          title={name}
          src={ours ? withoutOurFrame(url) : url.href}
          // Our own screens have the same code as the app around them: a sandbox would contain nothing, and they could
          // remove it.
          sandbox={ours ? undefined : sandbox}
          allow={
            address.service ? 'geolocation; camera; clipboard-write; fullscreen' : 'fullscreen'
          }
          referrerPolicy="strict-origin"
          onLoad={onLoad}
        />
      </div>
    </Page>
  )
}

/** Hides our own bars inside the frame, since the outer ones are shown. */
function withoutOurFrame(url: URL) {
  const inside = new URL(url)
  for (const [name, value] of [
    ['returnTarget', 'true'],
    ['isHideTabbar', '1'],
    ['isHideReturnBtn', '1'],
  ] as const)
    inside.searchParams.set(name, value)
  return inside.href
}

/** Whether the frame shows a page of our own origin: only then is its document accessible. */
function isOwnPage(frame: HTMLIFrameElement | null) {
  try {
    return Boolean(frame?.contentDocument)
  } catch {
    return false
  }
}

function useRequests(
  frame: { readonly current: HTMLIFrameElement | null },
  origin: string,
  carryOut: (request: FrameRequest) => void,
) {
  const latest = useRef(carryOut)
  useEffect(() => {
    latest.current = carryOut
  })
  useEffect(() => {
    const listen = (event: MessageEvent) => {
      const request = readRequest(event, { window: frame.current?.contentWindow, origin })
      if (request) latest.current(request)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [frame, origin])
}

/** True once loading has taken too long. */
function useLate(loading: boolean) {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    setIsLate(false)
    if (!loading) return
    const timer = setTimeout(() => setIsLate(true), slowThreshold)
    return () => clearTimeout(timer)
  }, [loading])
  return isLate && loading
}
