import type { WebAddress } from '@atrium/contract/shell/webview'
import { useContext, useEffect, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { copyText, shareLink } from '#shell/container/actions.ts'
import { hasOwnBack } from '#shell/container/container.ts'
import { depth } from '#shell/navigation/navigation.ts'
import { PageContext } from '#shell/page/page-context.ts'
import { startFlags } from '#shell/start/start-flags.ts'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ExternalLink } from './external-link.tsx'
import type { watchSteps } from './frame-steps.ts'

type FrameBarProps = {
  title: string
  address: WebAddress
  tab: boolean
  /** The user has navigated inside the page. */
  moved: boolean
  steps: ReturnType<typeof watchSteps>
  onRefresh: () => void
}

/** Back, close, the page's title, and a menu with the other actions. */
export function FrameBar({ title, address, tab, moved, steps, onRefresh }: FrameBarProps) {
  const [menu, setMenu] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // As on every page navigated to: a screen reader begins at the heading.
    if (depth() > 0) heading.current?.focus({ preventScroll: true })
  }, [])
  const choose = (action: () => void) => () => {
    setMenu(false)
    action()
  }
  return (
    <header className={tab ? 'nav-bar nav-bar-tab' : 'nav-bar'}>
      <div className="nav-bar-inside web-frame-bar">
        {tab ? null : <StepButtons moved={moved} steps={steps} />}
        <h1 className="nav-bar-title one-line" ref={heading} tabIndex={-1}>
          {title}
        </h1>
        <div className="nav-bar-end">
          <IconButton label={m.webview_menu()} onClick={() => setMenu(true)}>
            <Icon name="more" />
          </IconButton>
        </div>
      </div>
      <Sheet open={menu} onClose={() => setMenu(false)} title={address.host}>
        <RowList>
          <li>
            <button type="button" className="list-row" onClick={choose(onRefresh)}>
              <RowContent icon="refresh">{m.webview_refresh()}</RowContent>
            </button>
          </li>
          <li>
            <button
              type="button"
              className="list-row"
              onClick={choose(() => void copyText(address.url))}
            >
              <RowContent icon="link">{m.webview_copy()}</RowContent>
            </button>
          </li>
          <li>
            <button
              type="button"
              className="list-row"
              onClick={choose(() => void shareLink({ title, url: address.url }))}
            >
              <RowContent icon="share">{m.webview_share()}</RowContent>
            </button>
          </li>
          <li>
            <ExternalLink className="list-row" url={address.url} onFollow={() => setMenu(false)}>
              <RowContent icon="external">{m.webview_open_outside()}</RowContent>
            </ExternalLink>
          </li>
          {tab ? null : (
            <li>
              <button type="button" className="list-row" onClick={choose(steps.leave)}>
                <RowContent icon="close">{m.webview_close()}</RowContent>
              </button>
            </li>
          )}
        </RowList>
      </Sheet>
    </header>
  )
}

/** One step back inside the page; and a close button, once the user has navigated inside. */
function StepButtons({ moved, steps }: Pick<FrameBarProps, 'moved' | 'steps'>) {
  const { search } = useContext(PageContext)
  if (hasOwnBack || startFlags.isHideReturnBtn || search.isHideReturnBtn === '1')
    return <div className="nav-bar-start" />
  const home = depth() === 0 && !moved
  return (
    <div className="nav-bar-start">
      <IconButton label={home ? m.shell_to_home() : m.shell_back()} onClick={steps.stepBack}>
        <Icon name={home ? 'home' : 'back'} />
      </IconButton>
      {moved ? (
        <IconButton label={m.webview_close()} onClick={steps.leave}>
          <Icon name="close" />
        </IconButton>
      ) : null}
    </div>
  )
}
