import './locations.css'
import type { Place } from '@atrium/contract/shell/map'
import { useMemo, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { m } from '#paraglide/messages.js'
import { type ChosenLocation, isLocationRequested, submitLocation } from '#shell/chosen-location.ts'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { RowList } from '#ui/list-row.tsx'
import { LocateButton } from './locate-button.tsx'
import { MapFrame } from './map-frame.tsx'
import { placeName } from './place-labels.ts'
import { PlaceRow } from './place-row.tsx'
import { coordinates, nearestFirst, type Point } from './places.ts'
import { usePlaces } from './system-queries.ts'

/**
 * Chooses a place of the institution or a point on its map for the page that asked; opened directly, it only shows the
 * place.
 */
export default function ChooseLocationPage() {
  const [words, setWords] = useState('')
  const found = usePlaces(useDebounced(words))
  const [here, setHere] = useState<Point>()
  const [chosen, choose] = useState<ChosenLocation & { id: string }>()
  const places = useMemo(
    () => (here ? nearestFirst(found.data ?? [], here) : (found.data ?? [])),
    [found.data, here],
  )
  const markers = useMemo(() => {
    const namedPlaces = places.map((place) => ({ ...place, name: placeName(place) }))
    return chosen?.id === '' ? [...namedPlaces, chosen] : namedPlaces
  }, [places, chosen])
  const choosePlace = (id: string) => {
    const place = places.find((one) => one.id === id)
    if (place) choose(locationOf(place))
  }
  return (
    <Page title={isLocationRequested() ? undefined : m.system_campus_map()}>
      <div className="column stack place-list">
        <MapFrame
          markers={markers}
          chosenId={chosen?.id}
          here={here}
          onMarker={choosePlace}
          onPoint={(point) =>
            choose({ id: '', name: m.system_chosen_point(), address: '', ...point })
          }
          silent={m.system_map_silent()}
        />
        <div className="place-search">
          <SearchField label={m.system_search_places()} value={words} onValue={setWords} />
          <LocateButton onLocate={setHere} />
        </div>
        <QueryView
          query={found}
          isEmpty={(list) => list.length === 0}
          empty={
            words.trim() ? (
              <Empty icon="search" title={m.system_places_none({ words: words.trim() })}>
                {m.system_places_none_text()}
              </Empty>
            ) : (
              <Empty icon="map" title={m.system_places_empty()}>
                {m.system_places_empty_text()}
              </Empty>
            )
          }
        >
          {() => (
            <>
              <p className="unseen" role="status">
                {words.trim() ? m.system_places_found({ count: places.length }) : ''}
              </p>
              <RowList label={m.system_places()} values="beside">
                {places.map((place) => (
                  <li key={place.id}>
                    <button
                      type="button"
                      className="list-row place-row"
                      aria-pressed={place.id === chosen?.id}
                      onClick={() => choosePlace(place.id)}
                    >
                      <PlaceRow place={place} here={here} />
                    </button>
                  </li>
                ))}
              </RowList>
            </>
          )}
        </QueryView>
      </div>
      {chosen ? <ChosenBar chosen={chosen} /> : null}
    </Page>
  )
}

function ChosenBar({ chosen }: { chosen: ChosenLocation }) {
  const { name, address, latitude, longitude } = chosen
  const use = () => {
    if (!submitLocation({ name, address, latitude, longitude }))
      navigate('/open-location', { latitude, longitude, name, address })
  }
  return (
    <div className="place-chosen">
      <div className="column">
        <p>
          <strong>{name}</strong>
          <span className="muted num">{address || coordinates(chosen)}</span>
        </p>
        <Button onClick={use}>
          {isLocationRequested() ? m.system_use_place() : m.system_show_place()}
        </Button>
      </div>
    </div>
  )
}

const locationOf = (place: Place) => ({
  id: place.id,
  name: placeName(place),
  address: inLanguage(place.address, place.addressEn),
  latitude: place.latitude,
  longitude: place.longitude,
})
