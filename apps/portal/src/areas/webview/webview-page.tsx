import './webview-page.css'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation.ts'
import { Page } from '#shell/page.tsx'
import { useSearch } from '#shell/page-context.ts'
import { Button } from '#ui/button.tsx'
import { Empty } from '#ui/empty.tsx'
import { Icon } from '#ui/icon.tsx'

/** Says which place one is about to leave for. Only https is left for. */
export default function WebviewPage() {
  const url = readAddress(useSearch('/pages/webview/webview').url)
  return (
    <Page>
      <div className="column">
        {url ? (
          <section className="leaving">
            <Icon name="external" />
            <h2>{m.webview_leaving()}</h2>
            <p className="leaving-host">{url.host}</p>
            <p>{m.webview_leaving_text()}</p>
            <p className="muted leaving-address">{url.href}</p>
            <a
              className="button button-primary button-wide"
              href={url.href}
              target="_blank"
              rel="noopener noreferrer"
            >
              {m.webview_continue()}
            </a>
            <Button kind="plain" wide onClick={() => back()}>
              {m.webview_stay()}
            </Button>
          </section>
        ) : (
          <Empty
            icon="warning"
            title={m.webview_refused()}
            action={
              <Button kind="plain" onClick={() => back()}>
                {m.shell_back()}
              </Button>
            }
          >
            {m.webview_refused_text()}
          </Empty>
        )}
      </div>
    </Page>
  )
}

function readAddress(text: string) {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' ? url : undefined
  } catch {
    return undefined
  }
}
