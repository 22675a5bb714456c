import '#domains/work/sending/sending.css'
import './recipients.css'
import type { ReactNode } from 'react'
import { useDraft } from '#domains/work/sending/draft.ts'
import { formatNumber } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Button } from '#ui/form/button.tsx'

/** A page for choosing recipients: choices are stored immediately, and the button back shows their number. */
export function ChooserPage({ title, children }: { title?: string; children: ReactNode }) {
  const { recipients } = useDraft()
  return (
    <Page title={title}>
      <div className="column stack">{children}</div>
      <div className="bottom-bar">
        <Button wide onClick={() => back()}>
          {recipients.length === 0
            ? m.sending_done_none()
            : m.sending_done({ count: formatNumber(recipients.length) })}
        </Button>
      </div>
    </Page>
  )
}
