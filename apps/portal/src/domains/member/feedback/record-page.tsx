import './feedback.css'
import { feedback } from '@atrium/contract/member/feedback'
import { useInfiniteQuery } from '@tanstack/react-query'
import { formatDayAndTime } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { LongList } from '#shell/page/long-list.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { OneFeedback } from './one-feedback.tsx'
import { StatePill } from './state-pill.tsx'

/** The member's feedback with its states, or one of them with its conversation. */
export default function RecordPage() {
  const { id } = useSearch('/pages/myInfo/suggestRecord')
  return id ? <OneFeedback key={id} id={id} /> : <Records />
}

function Records() {
  const ownFeedback = useInfiniteQuery(pages(feedback.own))
  return (
    <Page onRefresh={() => ownFeedback.refetch()}>
      <div className="column stack">
        <QueryView
          query={ownFeedback}
          skeleton={<Skeleton rows={4} height={96} label={m.shell_loading()} />}
          isEmpty={({ pages: [first] }) => first?.list.length === 0}
          empty={
            <Card>
              <Empty
                icon="chat"
                title={m.feedback_own_none()}
                action={
                  <Button onClick={() => navigate('/pages/myInfo/suggestNew')}>
                    {m.feedback_write()}
                  </Button>
                }
              >
                {m.feedback_own_none_hint()}
              </Empty>
            </Card>
          }
        >
          {({ pages: all }) => (
            <LongList
              className="feedback-records"
              label={m.feedback_record_title()}
              query={ownFeedback}
              items={all.flatMap(({ list }) => list)}
              keyOf={({ id }) => id}
              height={96}
            >
              {(one) => (
                <Link to="/pages/myInfo/suggestRecord" search={{ id: one.id }}>
                  <span className="feedback-record-head">
                    <StatePill state={one.state} />
                    <time className="muted num" dateTime={one.createdAt}>
                      {formatDayAndTime(one.createdAt)}
                    </time>
                  </span>
                  <span className="two-lines" lang={userTextLang(one.content)}>
                    {one.content}
                  </span>
                  <span className="muted">
                    <Bilingual
                      zh={one.serviceName || one.kindName}
                      en={one.serviceNameEn || one.kindNameEn}
                    />
                  </span>
                </Link>
              )}
            </LongList>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
