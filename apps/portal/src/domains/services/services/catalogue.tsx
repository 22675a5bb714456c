import type { Overview, ServiceType } from '@atrium/contract/services/services'
import { type ReactNode, useRef, useState } from 'react'
import {
  useFavouriteServices,
  useServicePages,
} from '#domains/member/favourites/favourites-queries.ts'
import { HiddenNote } from '#domains/member/favourites/hidden-note.tsx'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { getTextSize } from '#shell/preferences.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { ServiceList } from './service-list.tsx'
import { useServicesOfType, useUsedServices } from './services-queries.ts'

/** The member's own lists, besides the types. */
const ownLists = ['favourites', 'used']

/** The whole catalogue: types on the left, or above on narrow screens or with large text. */
export function Catalogue({ overview }: { overview: Overview }) {
  const member = useSession() !== null
  const tops = topTypes(overview.types)
  const [chosen, choose] = useState<string>()
  const pane = useRef<HTMLElement>(null)
  const ownList = chosen !== undefined && ownLists.includes(chosen) ? chosen : undefined
  const type = tops.find(({ id }) => id === chosen) ?? (ownList ? undefined : tops[0])
  const chooseList = (id: string) => {
    choose(id)
    // Scroll to the start of the new list if it is above the viewport.
    if ((pane.current?.getBoundingClientRect().top ?? 0) < 0) pane.current?.scrollIntoView()
  }
  return (
    <div className={getTextSize() > 115 ? 'catalogue catalogue-narrow' : 'catalogue'}>
      <nav className="catalogue-types" aria-label={m.services_types()}>
        <ul className="fade-edges">
          {member ? (
            <TypeButton chosen={ownList === 'favourites'} onClick={() => chooseList('favourites')}>
              {m.services_favourites()}
            </TypeButton>
          ) : null}
          {tops.map(({ id, name, nameEn }) => (
            <TypeButton key={id} chosen={id === type?.id} onClick={() => chooseList(id)}>
              <Bilingual zh={name} en={nameEn} />
            </TypeButton>
          ))}
          {member ? (
            // Last: the card above already shows recently used services, and the chosen type must stay visible.
            <TypeButton chosen={ownList === 'used'} onClick={() => chooseList('used')}>
              {m.services_recent()}
            </TypeButton>
          ) : null}
        </ul>
      </nav>
      <section className="catalogue-pane" ref={pane}>
        {type ? <TypeServices key={type.id} type={type} overview={overview} /> : null}
        {ownList === 'favourites' ? <Favourites /> : null}
        {ownList === 'used' ? <Used /> : null}
      </section>
    </div>
  )
}

type TypeButtonProps = { chosen: boolean; onClick: () => void; children: ReactNode }

function TypeButton({ chosen, onClick, children }: TypeButtonProps) {
  return (
    <li>
      <button type="button" aria-current={chosen ? 'true' : undefined} onClick={onClick}>
        <span>{children}</span>
      </button>
    </li>
  )
}

function Heading({ text, count }: { text: string; count: number }) {
  return (
    <h2 className="catalogue-heading num" aria-live="polite">
      {m.services_type_count({ type: text, count })}
    </h2>
  )
}

const rows = () => <Skeleton rows={6} height={62} label={m.shell_loading()} />

function TypeServices({ type, overview }: { type: TopType; overview: Overview }) {
  const name = inLanguage(type.name, type.nameEn)
  // The overview contains the first type's list, unless the type has subtypes or more services than one response.
  const { first } = overview
  const here =
    first.typeId === type.id && type.below.length === 0 && first.list.length >= type.count
  const fetched = useServicesOfType(type.id, !here)
  if (here)
    return (
      <>
        <Heading text={name} count={type.count} />
        <ServiceList list={first.list} label={name} />
      </>
    )
  return (
    <>
      <Heading text={name} count={type.count} />
      <QueryView query={fetched} skeleton={rows()}>
        {({ pages }) =>
          [type, ...type.below].map(({ id, name: zh, nameEn }) => {
            const list = pages.flatMap((page) => page.list)
            const part = list.filter((service) => service.typeId === id)
            const label = inLanguage(zh, nameEn)
            return part.length > 0 ? (
              <div key={id}>
                {type.below.length > 0 ? <h3 className="catalogue-heading">{label}</h3> : null}
                <ServiceList list={part} label={label} />
              </div>
            ) : null
          })
        }
      </QueryView>
      <ListEnd query={fetched} />
    </>
  )
}

function Favourites() {
  const { ids } = useFavouriteServices()
  const kept = useServicePages('')
  const pages = kept.data?.pages ?? []
  // A removed favourite disappears immediately.
  const list = pages.flatMap((page) => page.list).filter(({ serviceId }) => ids.includes(serviceId))
  const name = m.services_favourites()
  return (
    <>
      <Heading text={name} count={ids.length - (pages[0]?.hidden ?? 0)} />
      <QueryView
        query={kept}
        skeleton={rows()}
        isEmpty={() => list.length === 0}
        empty={
          <Empty icon="star" title={m.services_favourites_none()}>
            {m.services_favourites_none_text()}
          </Empty>
        }
      >
        {() => <ServiceList list={list} label={name} />}
      </QueryView>
      <ListEnd query={kept} />
      <HiddenNote pages={pages} text={m.favourites_hidden_services} />
    </>
  )
}

function Used() {
  const used = useUsedServices()
  const pages = used.data?.pages ?? []
  const list = pages.flatMap((page) => page.list)
  const name = m.services_recent()
  return (
    <>
      <Heading text={name} count={pages[0]?.total ?? 0} />
      <QueryView
        query={used}
        skeleton={rows()}
        isEmpty={() => list.length === 0}
        empty={
          <Empty icon="clock" title={m.services_used_none()}>
            {m.services_used_none_text()}
          </Empty>
        }
      >
        {() => <ServiceList list={list} label={name} />}
      </QueryView>
      <ListEnd query={used} />
    </>
  )
}

type TopType = ServiceType & { below: ServiceType[] }

/** The top types, each with its subtypes and the total number of services. */
function topTypes(types: readonly ServiceType[]): TopType[] {
  const typeIds = new Set(types.map(({ id }) => id))
  return types
    .filter(({ parentId }) => parentId === null || !typeIds.has(parentId))
    .map((type) => {
      const below = types.filter(({ parentId }) => parentId === type.id)
      return { ...type, below, count: below.reduce((sum, { count }) => sum + count, type.count) }
    })
}
