import './locations.css'
import type { Place } from '@atrium/contract/shell/map'
import { useMemo, useState } from 'react'
import { number } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { useSettled } from '#lib/settled.ts'
import { m } from '#paraglide/messages.js'
import { answerLocation, type ChosenLocation, isLocationAsked } from '#shell/chosen-location.ts'
import { ask } from '#shell/container/container.ts'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { MapFrame } from './map-frame.tsx'
import { coordinates, metresBetween, type Point, placeIcons } from './places.ts'
import { usePlaces } from './system-queries.ts'

/** A place of the institution or a point on its map, for the page that asked; for nobody in particular it is shown. */
export default function ChooseLocationPage() {
  const [words, setWords] = useState('')
  const found = usePlaces(useSettled(words))
  const [here, setHere] = useState<Point>()
  const [chosen, choose] = useState<ChosenLocation & { id: string }>()
  const places = useMemo(() => nearestFirst(found.data ?? [], here), [found.data, here])
  const markers = useMemo(() => {
    const known = places.map((place) => ({ ...place, name: nameOf(place) }))
    return chosen?.id === '' ? [...known, chosen] : known
  }, [places, chosen])
  const choosePlace = (id: string) => {
    const place = places.find((known) => known.id === id)
    if (place) choose(locationOf(place))
  }
  return (
    <Page title={isLocationAsked() ? undefined : m.system_campus_map()}>
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
              <RowList label={m.system_places()}>
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

function PlaceRow({ place, here }: { place: Place; here: Point | undefined }) {
  return (
    <RowContent icon={placeIcons[place.kind]} value={here ? distance(place, here) : kindOf(place)}>
      <span className="place-row-text">
        <Bilingual zh={place.name} en={place.nameEn} />
        <span className="muted">
          <Bilingual zh={place.address} en={place.addressEn} />
        </span>
      </span>
    </RowContent>
  )
}

function ChosenBar({ chosen }: { chosen: ChosenLocation }) {
  const { name, address, latitude, longitude } = chosen
  const use = () => {
    if (!answerLocation({ name, address, latitude, longitude }))
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
          {isLocationAsked() ? m.system_use_place() : m.system_show_place()}
        </Button>
      </div>
    </div>
  )
}

/** Asked for only when it is tapped: nobody is asked for a permission they see no reason for. */
function LocateButton({ onLocate }: { onLocate: (here: Point) => void }) {
  const [busy, setBusy] = useState(false)
  const locate = async () => {
    setBusy(true)
    try {
      const { latitude, longitude } = await ask('locate')
      onLocate({ latitude, longitude })
      toast(m.system_located())
    } catch {
      toast(m.system_locate_failed())
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton label={m.system_locate()} disabled={busy} onClick={locate}>
      <Icon name="locate" />
    </IconButton>
  )
}

const nearestFirst = (places: readonly Place[], here: Point | undefined) =>
  here ? [...places].sort((a, b) => metresBetween(a, here) - metresBetween(b, here)) : places

const nameOf = ({ name, nameEn }: Place) => inLanguage(name, nameEn)

const locationOf = (place: Place) => ({
  id: place.id,
  name: nameOf(place),
  address: inLanguage(place.address, place.addressEn),
  latitude: place.latitude,
  longitude: place.longitude,
})

function distance(place: Place, here: Point) {
  const metres = metresBetween(place, here)
  return metres < 1000
    ? m.system_metres({ count: number(Math.round(metres / 10) * 10) })
    : m.system_kilometres({ count: number(Math.round(metres / 100) / 10) })
}

function kindOf({ kind }: Place) {
  const words: Record<Place['kind'], string> = {
    gate: m.system_kind_gate(),
    teaching: m.system_kind_teaching(),
    library: m.system_kind_library(),
    canteen: m.system_kind_canteen(),
    dormitory: m.system_kind_dormitory(),
    sports: m.system_kind_sports(),
    culture: m.system_kind_culture(),
    health: m.system_kind_health(),
    office: m.system_kind_office(),
    transport: m.system_kind_transport(),
    other: m.system_kind_other(),
  }
  return words[kind]
}
