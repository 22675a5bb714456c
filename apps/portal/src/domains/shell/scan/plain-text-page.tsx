import './scan.css'
import { type ScanInfo, scan } from '@atrium/contract/shell/scan'
import { readWebAddress } from '@atrium/rules/web-address'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Button } from '#ui/form/button.tsx'

/** Limit of the server. */
const longest = 4000

/**
 * The scanned text, and the server's description of it. The text itself comes first, because whoever put up the code
 * may have meant something else. An address opens only on request, behind the leaving page.
 */
export default function PlainTextPage() {
  const { text } = useSearch('/pages/scanCode/plainText')
  // If the request fails, only the text is shown.
  const { data } = useQuery({
    ...q(scan.info, { query: { text: text.slice(0, longest) } }),
    retry: false,
  })
  const url = /^\s*https:\/\//i.test(text) ? readWebAddress(text, location.origin) : undefined
  const isScreen = data?.href.startsWith('/') && data.kind !== 'screen'
  return (
    <Page>
      <div className="column stack">
        {data ? <What info={data} /> : null}
        <Card>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by the keyboard too */}
          <pre className="scan-text" tabIndex={0}>
            {text}
          </pre>
        </Card>
        {url ? <p className="muted scan-host">{m.scan_leads_to({ host: url.host })}</p> : null}
        <div className="scan-actions">
          {data && (isScreen || data.kind === 'known') && data.href ? (
            <Button wide onClick={() => openAddress(data.href)}>
              {actionOf(data)}
            </Button>
          ) : null}
          <Button
            wide
            kind={isScreen || data?.kind === 'known' ? 'plain' : 'primary'}
            onClick={() => void copyText(text)}
          >
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

const actionOf = ({ kind }: ScanInfo) =>
  kind === 'book' ? m.scan_find_book() : kind === 'place' ? m.scan_show_place() : m.scan_go_on()

function What({ info: { kind, title, titleEn, note, noteEn, facts } }: { info: ScanInfo }) {
  if (!title) return null
  return (
    <Card title={inLanguage(title, titleEn)}>
      {kind === 'service' ? <p className="muted">{m.scan_service()}</p> : null}
      {note ? <p className="muted">{inLanguage(note, noteEn)}</p> : null}
      {facts.length > 0 ? <FactList of={facts.map(({ label, value }) => [label, value])} /> : null}
    </Card>
  )
}
