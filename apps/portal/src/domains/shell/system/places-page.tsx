import './locations.css'
import type { Place } from '@atrium/contract/shell/map'
import { useEffect, useMemo, useState } from 'react'
import { htmlLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { HrefLink } from '#shell/navigation/link.tsx'
import { hrefOf, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { MapFrame } from './map-frame.tsx'
import { kindsOf, openingNow, placeKindName, placeName } from './place-labels.ts'
import { PlaceRow } from './place-row.tsx'
import { nearestFirst, type Point, placeSearch } from './places.ts'
import { usePosition } from './position.ts'
import { usePlaces } from './system-queries.ts'

const path = '/pages/map/places'

/** The places of the institution: by distance if the position is known, else by name. */
export default function PlacesPage() {
  const search = useSearch(path)
  const { keyWords = '' } = search
  const places = usePlaces(keyWords)
  return (
    <Page onRefresh={() => places.refetch()}>
      <div className="column stack">
        <SearchForm
          label={m.system_search_places()}
          keyWords={keyWords}
          focus={false}
          onSearch={(words) => redirect(path, { ...search, keyWords: words || undefined })}
        />
        <QueryView
          query={places}
          isEmpty={(list) => list.length === 0}
          empty={
            keyWords ? (
              <Empty icon="search" title={m.system_places_none({ words: keyWords })}>
                {m.system_places_none_text()}
              </Empty>
            ) : (
              <Empty icon="map" title={m.system_places_empty()}>
                {m.system_places_empty_text()}
              </Empty>
            )
          }
        >
          {(list) => <Places list={list} />}
        </QueryView>
      </div>
    </Page>
  )
}

function Places({ list }: { list: readonly Place[] }) {
  const search = useSearch(path)
  const { kind, open } = search
  const zone = useSystem().timeZone
  const now = useNow()
  const { here, state, locate } = usePosition()
  const sorted = useMemo(() => (here ? nearestFirst(list, here) : byName(list)), [list, here])
  const shown = sorted
    .map((place) => ({ place, opening: openingNow(place.hours, zone, now) }))
    .filter(({ place, opening }) => (!kind || place.kind === kind) && (!open || opening?.open))
  const kinds = kindsOf(list)
  return (
    <>
      <MapFrame
        markers={shown.map(({ place }) => ({ ...place, name: placeName(place) }))}
        chosenId={undefined}
        here={here}
        silent={m.system_map_silent()}
      />
      <fieldset className="place-kinds fade-edges">
        <legend className="unseen">{m.system_filter()}</legend>
        <Filter on={open} onTap={() => redirect(path, { ...search, open: !open })}>
          {m.system_open_now()}
        </Filter>
        {(kinds.length > 1 || kind) &&
          kinds.map((one) => (
            <Filter
              key={one}
              on={one === kind}
              onTap={() => redirect(path, { ...search, kind: one === kind ? undefined : one })}
            >
              {placeKindName(one)}
            </Filter>
          ))}
      </fieldset>
      <Order here={here} state={state} onLocate={locate} count={shown.length} />
      {shown.length > 0 ? (
        <RowList label={m.system_places()} values="beside">
          {shown.map(({ place, opening }) => (
            <li key={place.id}>
              <HrefLink
                className="list-row place-row"
                href={hrefOf('/open-location', placeSearch(place))}
              >
                <PlaceRow place={place} here={here} opening={opening} leads />
              </HrefLink>
            </li>
          ))}
        </RowList>
      ) : (
        <Empty
          icon="filter"
          title={m.system_filter_none()}
          action={
            <Button
              kind="plain"
              onClick={() => redirect(path, { ...search, kind: undefined, open: false })}
            >
              {m.system_filter_off()}
            </Button>
          }
        >
          {m.system_filter_none_text()}
        </Empty>
      )}
    </>
  )
}

type FilterProps = { on: boolean; onTap: () => void; children: string }
const Filter = ({ on, onTap, children }: FilterProps) => (
  <button type="button" aria-pressed={on} onClick={onTap}>
    {children}
  </button>
)

type OrderProps = {
  here: Point | undefined
  state: 'unknown' | 'asking' | 'refused'
  onLocate: () => void
  count: number
}

/** The number of places and their order, with a button to sort by distance. */
function Order({ here, state, onLocate, count }: OrderProps) {
  return (
    <div className="place-order">
      <p className="muted num" role="status">
        {here
          ? m.system_places_nearest({ count })
          : state === 'refused'
            ? m.system_places_refused({ count })
            : m.system_places_by_name({ count })}
      </p>
      <Button kind="plain" small busy={state === 'asking'} onClick={onLocate}>
        <Icon name="locate" />
        {here ? m.system_locate_again() : m.system_nearest_first()}
      </Button>
    </div>
  )
}

/** The current time, updated so that opening states stay correct. */
function useNow() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

function byName(places: readonly Place[]) {
  const order = new Intl.Collator(htmlLang(), { numeric: true })
  return [...places].sort((one, other) => order.compare(placeName(one), placeName(other)))
}
