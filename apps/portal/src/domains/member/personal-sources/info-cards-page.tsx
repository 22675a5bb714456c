import './sources.css'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { AgeNote, AsOf } from './age-note.tsx'
import { useInfoCards } from './personal-sources-queries.ts'

/** Further data about the member from systems of the institution: credits, network use, dormitory. */
export default function InfoCardsPage() {
  const cards = useInfoCards()
  return (
    <Page onRefresh={cards.refetch}>
      <div className="column stack">
        <QueryView
          query={cards}
          skeleton={<Skeleton height={320} label={m.shell_loading()} />}
          isEmpty={(data) => data === null || data.list.length === 0}
          empty={
            <Empty icon="database" title={m.personal_sources_no_info()}>
              {m.personal_sources_no_info_hint()}
            </Empty>
          }
        >
          {(data) =>
            data ? (
              <>
                <AgeNote of={data} onRetry={() => void cards.refetch()} />
                <Card>
                  <ul className="sources-list">
                    {data.list.map(({ title, titleEn, value, note, noteEn, url }) => (
                      <li key={title} className="sources-line">
                        <div className="sources-line-words">
                          <p className="muted">{inLanguage(title, titleEn)}</p>
                          <p className="sources-line-title num">{value}</p>
                          {note ? <p className="muted">{inLanguage(note, noteEn)}</p> : null}
                        </div>
                        {url ? (
                          <Button
                            small
                            kind="plain"
                            aria-label={m.personal_sources_open_paper({
                              title: inLanguage(title, titleEn),
                            })}
                            onClick={() => openAddress(url)}
                          >
                            {m.personal_sources_open()}
                          </Button>
                        ) : null}
                      </li>
                    ))}
                  </ul>
                </Card>
                <AsOf of={data} />
              </>
            ) : null
          }
        </QueryView>
      </div>
    </Page>
  )
}
