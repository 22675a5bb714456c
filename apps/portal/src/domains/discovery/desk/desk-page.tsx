import './desk.css'
import { type DeskCase, desk } from '@atrium/contract/discovery/desk'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatRelativeTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { pages, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { UserText } from '#ui/user-text.tsx'

type Part = 'waiting' | 'mine' | 'others' | 'closed'
/** Poll interval for the queue, in ms. */
const every = 5000

/** The queue of the agents at service desks. */
export default function DeskPage() {
  const [part, setPart] = useState<Part>('waiting')
  const desks = useQuery({ ...q(desk.desks), refetchInterval: every })
  const cases = useInfiniteQuery({
    ...pages(desk.queue, { query: { state: part } }),
    refetchInterval: every,
  })
  const waiting = (desks.data ?? []).reduce((sum, one) => sum + one.waiting, 0)
  return (
    <Page onRefresh={() => Promise.all([desks.refetch(), cases.refetch()])}>
      <div className="column stack">
        <QueryView
          query={desks}
          skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Card>
              <Empty icon="people" title={m.desk_none()}>
                {m.desk_none_hint()}
              </Empty>
            </Card>
          }
        >
          {() => (
            <Tabs
              variant="segment"
              label={m.desk_parts()}
              items={[
                { value: 'waiting', label: m.desk_waiting({ count: waiting }) },
                { value: 'mine', label: m.desk_mine() },
                { value: 'others', label: m.desk_others() },
                { value: 'closed', label: m.desk_closed() },
              ]}
              value={part}
              onChange={setPart}
            >
              <QueryView
                query={cases}
                skeleton={<Skeleton rows={5} height={56} label={m.shell_loading()} />}
                isEmpty={({ pages: [first] }) => first?.list.length === 0}
                empty={
                  <Card>
                    <Empty icon="check" title={m.desk_empty()} />
                  </Card>
                }
              >
                {({ pages: all }) => (
                  <>
                    <ul className="row-list">
                      {all.flatMap(({ list }) =>
                        list.map((one) => <CaseRow key={one.dialogId} deskCase={one} />),
                      )}
                    </ul>
                    <ListEnd query={cases} />
                  </>
                )}
              </QueryView>
            </Tabs>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function CaseRow({ deskCase }: { deskCase: DeskCase }) {
  const facts = [
    inLanguage(deskCase.member.name, deskCase.member.nameEn),
    inLanguage(deskCase.deskName, deskCase.deskNameEn),
    deskCase.score === null ? '' : m.desk_score({ score: deskCase.score }),
    formatRelativeTime(
      'robot',
      deskCase.state === 'waiting' ? deskCase.requestedAt : deskCase.memberAt,
    ),
  ]
  return (
    <li>
      <Link
        className="list-row"
        to="/pages/robot/deskDialog"
        search={{ dialogId: deskCase.dialogId }}
      >
        <RowContent icon="chat" leads>
          <UserText>{deskCase.title}</UserText>
          <span className="desk-facts muted num">
            <Facts of={facts} />
          </span>
        </RowContent>
      </Link>
    </li>
  )
}
