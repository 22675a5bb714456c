import { privacy } from '@atrium/contract/member/privacy'
import { formatDayAndTime } from '#lib/format.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { confirmFirst } from '#shell/page/confirmation.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { useExport } from './privacy-queries.ts'

/** Exports all personal data as one file: request, progress and download. */
export function ExportCard() {
  const file = useExport()
  const request = useAction(privacy.requestExport, {
    invalidates: [privacy.exportState],
    done: () => toast(m.privacy_export_asked()),
    failed: confirmFirst,
  })
  const download = useAction(privacy.downloadExport, {
    done: ({ url }) => location.assign(url),
    failed: confirmFirst,
  })
  return (
    <Card title={m.privacy_export_title()}>
      <p className="privacy-text">{m.privacy_export_text()}</p>
      <QueryView query={file} skeleton={<Skeleton height={64} label={m.shell_loading()} />}>
        {({ status, expiresAt, nextAt }) => (
          <>
            {status === 'none' ? null : (
              <p className="privacy-note" role="status">
                {status === 'waiting' ? m.privacy_export_waiting() : null}
                {status === 'ready' && expiresAt
                  ? m.privacy_export_ready({ time: formatDayAndTime(expiresAt) })
                  : null}
                {status === 'gone' ? m.privacy_export_gone() : null}
                {status === 'failed' ? m.privacy_export_failed() : null}
              </p>
            )}
            <div className="privacy-actions">
              {status === 'ready' ? (
                <Button small busy={download.isPending} onClick={() => download.mutate({})}>
                  {m.privacy_export_download()}
                </Button>
              ) : null}
              {status === 'waiting' ? null : (
                <Button
                  kind={status === 'ready' ? 'plain' : 'primary'}
                  small
                  busy={request.isPending}
                  disabled={nextAt !== null}
                  onClick={() => request.mutate({})}
                >
                  {status === 'none' ? m.privacy_export_ask() : m.privacy_export_again()}
                </Button>
              )}
            </div>
            {nextAt !== null && status !== 'waiting' ? (
              <p className="privacy-note">
                {m.privacy_export_next({ time: formatDayAndTime(nextAt) })}
              </p>
            ) : null}
          </>
        )}
      </QueryView>
    </Card>
  )
}
