import './feedback.css'
import { feedback } from '@atrium/contract/member/feedback'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { pages, q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { ListEnd } from '#shell/page/list-end.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Tabs } from '#ui/tabs.tsx'

type Order = 'hot' | 'newest'

/** The kinds of feedback, the member's own feedback, and published answers. */
export default function FeedbackPage() {
  const kinds = useQuery(q(feedback.kinds))
  const [order, setOrder] = useState<Order>('hot')
  const published = useInfiniteQuery(pages(feedback.published, { query: { order } }))
  return (
    <Page onRefresh={() => Promise.all([kinds.refetch(), published.refetch()])}>
      <div className="column stack">
        <QueryView
          query={kinds}
          skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
        >
          {(list) => (
            <>
              <Card>
                <p className="feedback-lead">{m.feedback_lead()}</p>
                <Button wide onClick={() => navigate('/pages/myInfo/suggestNew')}>
                  {m.feedback_write()}
                </Button>
              </Card>
              <RowList>
                <LinkRow to="/pages/myInfo/suggestRecord" icon="history">
                  {m.feedback_record_title()}
                </LinkRow>
              </RowList>
              {list.length > 0 ? (
                <section>
                  <h2 className="feedback-heading">{m.feedback_kinds()}</h2>
                  <RowList label={m.feedback_kinds()}>
                    {list.map((kind) => (
                      <LinkRow
                        key={kind.id}
                        to="/pages/myInfo/suggestNew"
                        search={{ kindId: kind.id }}
                      >
                        <span className="feedback-kind">
                          <Bilingual zh={kind.name} en={kind.nameEn} />
                          {kind.description || kind.descriptionEn ? (
                            <span className="muted">
                              <Bilingual zh={kind.description} en={kind.descriptionEn} />
                            </span>
                          ) : null}
                        </span>
                      </LinkRow>
                    ))}
                  </RowList>
                </section>
              ) : null}
              <section>
                <h2 className="feedback-heading">{m.feedback_published()}</h2>
                <Tabs
                  variant="segment"
                  label={m.feedback_published()}
                  items={[
                    { value: 'hot', label: m.feedback_hot() },
                    { value: 'newest', label: m.feedback_newest() },
                  ]}
                  value={order}
                  onChange={setOrder}
                >
                  <div className="feedback-published">
                    <QueryView
                      query={published}
                      skeleton={<Skeleton rows={3} height={120} label={m.shell_loading()} />}
                      isEmpty={({ pages: [first] }) => first?.list.length === 0}
                      empty={
                        <Card>
                          <Empty icon="chat" title={m.feedback_published_none()}>
                            {m.feedback_published_none_hint()}
                          </Empty>
                        </Card>
                      }
                    >
                      {({ pages: all }) => (
                        <div className="stack">
                          {all.flatMap((page) =>
                            page.list.map((one) => (
                              <Card key={one.id}>
                                <h3 className="feedback-text" lang={userTextLang(one.content)}>
                                  {one.content}
                                </h3>
                                <p className="feedback-facts muted num">
                                  <Bilingual zh={one.kindName} en={one.kindNameEn} />
                                  {one.asked > 1 ? (
                                    <span>{m.feedback_asked({ count: one.asked })}</span>
                                  ) : null}
                                </p>
                                <div className="feedback-answer">
                                  <p className="muted">
                                    {inLanguage(one.department, one.departmentEn) ||
                                      m.feedback_institution()}
                                  </p>
                                  <p className="feedback-text" lang={userTextLang(one.answer)}>
                                    {one.answer}
                                  </p>
                                </div>
                              </Card>
                            )),
                          )}
                          <ListEnd query={published} />
                        </div>
                      )}
                    </QueryView>
                  </div>
                </Tabs>
              </section>
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}
