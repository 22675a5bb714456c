import './sources.css'
import type { Research } from '@atrium/contract/member/personal-sources'
import { useState } from 'react'
import { formatMoney, formatNumber } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Facts } from '#ui/facts.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Tabs } from '#ui/tabs.tsx'
import { AgeNote, AsOf } from './age-note.tsx'
import { useResearch } from './personal-sources-queries.ts'

/** The member's projects and papers, with figures. */
export default function ResearchPage() {
  const research = useResearch()
  const [tab, show] = useState<'projects' | 'papers'>('projects')
  return (
    <Page onRefresh={research.refetch}>
      <div className="column stack">
        <QueryView
          query={research}
          skeleton={<Skeleton height={320} label={m.shell_loading()} />}
          isEmpty={(data) => data === null}
          empty={
            <Empty icon="flask" title={m.personal_sources_no_research()}>
              {m.personal_sources_no_research_hint()}
            </Empty>
          }
        >
          {(data) =>
            data ? (
              <>
                <AgeNote of={data} onRetry={() => void research.refetch()} />
                {data.figures.length > 0 ? (
                  <Card>
                    <dl className="sources-figures">
                      {data.figures.map(({ label, labelEn, value }) => (
                        <div key={label}>
                          <dt>{inLanguage(label, labelEn)}</dt>
                          <dd className="num">{value}</dd>
                        </div>
                      ))}
                    </dl>
                  </Card>
                ) : null}
                <Tabs
                  variant="segment"
                  label={m.personal_sources_research_title()}
                  items={[
                    { value: 'projects', label: m.personal_sources_projects() },
                    { value: 'papers', label: m.personal_sources_papers() },
                  ]}
                  value={tab}
                  onChange={show}
                >
                  <div className="stack">
                    {tab === 'projects' ? (
                      <Projects list={data.projects} />
                    ) : (
                      <Papers list={data.papers} />
                    )}
                  </div>
                </Tabs>
                <AsOf of={data} />
              </>
            ) : null
          }
        </QueryView>
      </div>
    </Page>
  )
}

function Projects({ list }: { list: Research['projects'] }) {
  if (list.length === 0) return <Empty icon="flask" title={m.personal_sources_no_projects()} />
  return (
    <Card>
      <ul className="sources-list">
        {list.map(({ title, role, funder, amount, startsOn, endsOn }) => (
          <li key={`${title}${startsOn}`} className="sources-line">
            <div className="sources-line-words">
              <p className="sources-line-title" lang={userTextLang(title)}>
                {title}
              </p>
              <p className="muted">
                <Facts of={[role, funder]} />
              </p>
              <p className="muted num">{[startsOn, endsOn].filter(Boolean).join(' – ')}</p>
            </div>
            {amount ? <span className="num">{formatMoney(amount)}</span> : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Papers({ list }: { list: Research['papers'] }) {
  if (list.length === 0) return <Empty icon="file" title={m.personal_sources_no_papers()} />
  return (
    <Card>
      <ul className="sources-list">
        {list.map(({ title, venue, year, citations, url }) => (
          <li key={`${title}${year}`} className="sources-line">
            <div className="sources-line-words">
              <p className="sources-line-title" lang={userTextLang(title)}>
                {title}
              </p>
              <p className="muted">
                <Facts of={[venue, year]} />
              </p>
              {citations ? (
                <p className="muted num">
                  {m.personal_sources_citations({ count: formatNumber(Number(citations)) })}
                </p>
              ) : null}
            </div>
            {url ? (
              <Button
                small
                kind="plain"
                aria-label={m.personal_sources_open_paper({ title })}
                onClick={() => openAddress(url)}
              >
                {m.personal_sources_open()}
              </Button>
            ) : null}
          </li>
        ))}
      </ul>
    </Card>
  )
}
