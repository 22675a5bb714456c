import './sending.css'
import { type ComponentProps, useContext } from 'react'
import { m } from '#paraglide/messages.js'
import { navigate, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext, useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { ApprovalList } from './approval-list.tsx'
import { SendingForm } from './sending-form.tsx'
import { useRights, useSavedDraft } from './sending-queries.ts'
import { SentList } from './sent-list.tsx'

const parts = ['write', 'sent', 'approve'] as const
type Part = (typeof parts)[number]

/** Writes messages to members, and lists the sent ones. */
export default function SendingPage() {
  const { path } = useContext(PageContext)
  const requestedPart = useSearch('/msgCenter/pages/onlineSend/index').part
  const part = parts.find((one) => one === requestedPart) ?? 'write'
  const rights = useRights()
  const show = (next: Part) =>
    redirect(path as '/msgCenter/pages/onlineSend/index', {
      part: next === 'write' ? undefined : next,
    })
  return (
    <Page>
      <div className="column stack">
        <QueryView
          query={rights}
          skeleton={<Skeleton height={480} label={m.shell_loading()} />}
          isEmpty={({ may }) => !may}
          empty={
            <Card>
              <Empty icon="lock" title={m.sending_not_allowed()}>
                {m.sending_not_allowed_hint()}
              </Empty>
            </Card>
          }
        >
          {(own) => (
            <Tabs
              variant="segment"
              label={m.sending_parts()}
              items={[
                { value: 'write', label: m.sending_write() },
                { value: 'sent', label: m.sending_sent() },
                ...(own.approves > 0 || part === 'approve'
                  ? [
                      {
                        value: 'approve' as const,
                        label: m.sending_to_approve({ count: own.approves }),
                      },
                    ]
                  : []),
              ]}
              value={part}
              onChange={show}
            >
              {part === 'write' ? (
                <Writing
                  rights={own}
                  onSent={(sendId) => {
                    // Going back then leads to the list of sent messages.
                    show('sent')
                    navigate('/msgCenter/pages/onlineSend/sendResult', { sendId })
                  }}
                />
              ) : part === 'sent' ? (
                <SentList />
              ) : (
                <ApprovalList />
              )}
            </Tabs>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/** The form, after checking for a draft from another device. */
function Writing(props: ComponentProps<typeof SendingForm>) {
  const ready = useSavedDraft()
  if (!ready) return <Skeleton height={480} label={m.shell_loading()} />
  return <SendingForm {...props} />
}
