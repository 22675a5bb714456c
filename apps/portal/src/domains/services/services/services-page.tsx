import './services-page.css'
import '#ui/form/search-field.css'
import { favourites } from '@atrium/contract/member/favourites'
import { services } from '@atrium/contract/services/services'
import { figures } from '@atrium/rules/figures'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Catalogue } from './catalogue.tsx'
import { ServiceGrid } from './service-grid.tsx'
import { useLastUsed, useOftenUsed, useOverview } from './services-queries.ts'

export default function ServicesPage() {
  const overview = useOverview()
  // Fetched in parallel with the overview, not after it.
  useLastUsed()
  const reload = async () => {
    invalidate(services.list, services.lastUsed, services.lastUseList, favourites.serviceIds)
    await overview.refetch()
  }
  return (
    <Page onRefresh={reload}>
      <div className="column stack">
        <Link className="search-field services-search" to="/pages/service/search">
          <Icon name="search" />
          <span>
            {overview.data?.total
              ? m.services_search_count({ count: overview.data.total })
              : m.services_search()}
          </span>
        </Link>
        <QueryView
          query={overview}
          skeleton={<ServicesSkeleton />}
          isEmpty={({ total }) => total === 0}
          empty={
            <Empty icon="grid" title={m.services_none()}>
              {m.services_none_text()}
            </Empty>
          }
        >
          {(data) => (
            <div className="stack">
              <OftenUsed common={data.common} />
              <Catalogue overview={data} />
            </div>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function OftenUsed({ common }: { common: Parameters<typeof useOftenUsed>[0] }) {
  const count = Math.max(3, Number(useSettings().servicesNumPerRow) || figures.servicesPerRow)
  const { recent, list, waiting } = useOftenUsed(common, count)
  const { open, opening } = useOpenService()
  return (
    <Card
      title={recent ? m.services_recent() : m.services_common()}
      aside={
        <span className="services-more">
          <Link to="/pages/service/ranking">{m.services_rankings()}</Link>
          <Link to="/pages/service/aggregationService">{m.services_themes()}</Link>
        </span>
      }
    >
      {waiting ? (
        // As tall as the tiles that follow, so that the scroll position is kept.
        <div className="services-waiting">
          <ServiceGrid list={list} opening={undefined} onOpen={open} />
          <Skeleton height={48} label={m.shell_loading()} />
        </div>
      ) : (
        <ServiceGrid list={list} opening={opening} onOpen={open} />
      )}
    </Card>
  )
}

function ServicesSkeleton() {
  return (
    <>
      <Skeleton height={128} label={m.shell_loading()} />
      <Skeleton rows={7} height={62} label={m.shell_loading()} />
    </>
  )
}
