import './aggregation-page.css'
import { type Aggregation, aggregation } from '@atrium/contract/services/aggregation'
import { useQuery } from '@tanstack/react-query'
import { ServiceList } from '#domains/services/services/service-list.tsx'
import { ApiError } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'

const path = '/pages/service/aggregationService'
const staleTime = 5 * 60_000

/** Services by theme: all themes, or the one in the address. */
export default function AggregationPage() {
  const { id } = useSearch(path)
  return id ? <Theme id={id} /> : <Themes />
}

function Themes() {
  const themes = useQuery({ ...q(aggregation.list), staleTime })
  return (
    <Page onRefresh={themes.refetch}>
      <div className="column stack">
        <QueryView
          query={themes}
          skeleton={<Skeleton rows={4} height={92} label={m.shell_loading()} />}
          isEmpty={(list) => list.length === 0}
          empty={
            <Empty icon="grid" title={m.aggregation_none()}>
              {m.aggregation_none_text()}
            </Empty>
          }
        >
          {(list) => (
            <ul className="stack" aria-label={m.aggregation_title()}>
              {list.map((theme) => (
                <li key={theme.id}>
                  <Link className="theme" to={path} search={{ id: theme.id }}>
                    <About theme={theme} />
                    <Icon name="chevron" />
                  </Link>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Theme({ id }: { id: string }) {
  const theme = useQuery({ ...q(aggregation.read, { query: { id } }), staleTime })
  const visitor = useSession() === null
  const name = theme.data && inLanguage(theme.data.name, theme.data.nameEn)
  return (
    <Page {...(name && { title: name })} onRefresh={theme.refetch}>
      <div className="column stack">
        {theme.error instanceof ApiError && [400, 404].includes(theme.error.status) ? (
          <Empty
            icon="grid"
            title={theme.error.message}
            action={
              visitor ? (
                <Button onClick={() => signIn()}>{m.shell_sign_in()}</Button>
              ) : (
                <Link className="button button-plain" to={path} verb="redirect">
                  {m.aggregation_all()}
                </Link>
              )
            }
          />
        ) : (
          <QueryView
            query={theme}
            skeleton={<Skeleton rows={7} height={64} label={m.shell_loading()} />}
          >
            {(data) => (
              <>
                <div className="theme">
                  <About theme={data} />
                </div>
                <Card>
                  <ServiceList list={data.services} label={inLanguage(data.name, data.nameEn)} />
                </Card>
              </>
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

const About = ({ theme }: { theme: Aggregation }) => (
  <>
    <IconTile glyph={theme.icon.glyph} tone={theme.icon.tone} />
    <span className="theme-text">
      <span className="theme-name">
        <Bilingual zh={theme.name} en={theme.nameEn} />
      </span>
      <span className="muted">
        <Bilingual zh={theme.desc} en={theme.descEn} />
      </span>
      <span className="muted num">{m.aggregation_count({ count: theme.count })}</span>
    </span>
  </>
)
