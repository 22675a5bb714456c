import './start.css'
import { type SearchKind, searchKinds } from '@atrium/contract/discovery/search'
import { useSession } from '#lib/session.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf } from '#shell/navigation/navigation.ts'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { kinds } from './kinds.ts'

/** Links to the search of a single kind. News, services, schedule and tasks have their own pages. */
export function KindGrid() {
  const member = useSession() !== null
  return (
    <ul className="search-kinds">
      {searchKinds
        .filter((kind) => member || !kinds[kind].forMembers)
        .map((kind) => (
          <li key={kind}>
            <HrefLink href={pageOf(kind)}>
              <IconTile glyph={kinds[kind].glyph} tone={kinds[kind].tone} />
              <span>{kinds[kind].name()}</span>
            </HrefLink>
          </li>
        ))}
    </ul>
  )
}

function pageOf(kind: SearchKind) {
  if (kind === 'service') return hrefOf('/pages/search/service')
  if (kind === 'news') return hrefOf('/pages/search/news')
  if (kind === 'event') return hrefOf('/pages/search/schedule')
  if (kind === 'task' || kind === 'todo') return hrefOf('/pages/search/task', { type: kind })
  return hrefOf('/pages/search/singleSearch', { type: kind })
}
