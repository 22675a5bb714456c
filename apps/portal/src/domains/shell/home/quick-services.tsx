import type { Service } from '@atrium/contract/services/services'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { ServiceGrid } from '#domains/services/services/service-grid.tsx'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Card } from '#ui/card.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { PartFailed } from './part-failed.tsx'

/** Two rows of services; the last tile leads to all of them. */
export function QuickServices({
  list,
  onRetry,
}: {
  list: readonly Service[] | null
  onRetry: () => void
}) {
  const { open, opening } = useOpenService()
  return (
    <Card title={list ? undefined : m.home_quick()}>
      {list ? <h2 className="unseen">{m.home_quick()}</h2> : null}
      {list ? (
        <ServiceGrid list={list} opening={opening} onOpen={open}>
          <Link className="service-tile" to="/pages/tab/service/index">
            <IconTile glyph="all" tone="violet" />
            <span className="service-tile-name">{m.home_quick_all()}</span>
          </Link>
        </ServiceGrid>
      ) : (
        <PartFailed onRetry={onRetry} />
      )}
    </Card>
  )
}
