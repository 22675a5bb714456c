import './scan.css'
import { readWebAddress } from '@atrium/rules/web-address'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'

/** What was scanned, as the text it is. An address opens only when the person says so, behind the leaving page. */
export default function PlainTextPage() {
  const { text } = useSearch('/pages/scanCode/plainText')
  const url = /^\s*https:\/\//i.test(text) ? readWebAddress(text, location.origin) : undefined
  return (
    <Page>
      <div className="column stack">
        <Card>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard too */}
          <pre className="scan-text" tabIndex={0}>
            {text}
          </pre>
        </Card>
        {url ? <p className="muted scan-host">{m.scan_leads_to({ host: url.host })}</p> : null}
        <div className="scan-actions">
          <Button wide onClick={() => void copyText(text)}>
            {m.scan_copy()}
          </Button>
          {url ? (
            <Button wide kind="plain" onClick={() => openAddress(url.href)}>
              {m.scan_open()}
            </Button>
          ) : null}
        </div>
      </div>
    </Page>
  )
}
