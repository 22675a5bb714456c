import type { Place } from '@atrium/contract/shell/map'
import { Bilingual } from '#ui/bilingual.tsx'
import { RowContent } from '#ui/list-row.tsx'
import { distanceText, type openingNow, placeKindName } from './place-labels.ts'
import { type Point, placeIcons } from './places.ts'

type PlaceRowProps = {
  place: Place
  here: Point | undefined
  /** The row links to the place. */
  leads?: boolean
  opening?: ReturnType<typeof openingNow>
}

export function PlaceRow({ place, here, leads, opening }: PlaceRowProps) {
  return (
    <RowContent
      icon={placeIcons[place.kind]}
      value={here ? distanceText(place, here) : placeKindName(place.kind)}
      leads={leads ?? false}
    >
      <span className="place-row-text">
        <Bilingual zh={place.name} en={place.nameEn} />
        {opening ? <Opening {...opening} /> : null}
        <span className="muted">
          <Bilingual zh={place.address} en={place.addressEn} />
        </span>
      </span>
    </RowContent>
  )
}

export const Opening = ({ open, words }: { open: boolean; words: string }) => (
  <span className={open ? 'place-opening place-open num' : 'place-opening num'}>{words}</span>
)
