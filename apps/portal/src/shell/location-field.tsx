import './location-field.css'
import type { Point } from '@atrium/contract/shell/map'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { chooseLocation, useChosenLocation } from './chosen-location.ts'
import { Link } from './navigation/link.tsx'

type LocationFieldProps = {
  label: string
  /** in words */
  location: string
  /** where that is, once a place was chosen */
  point: Point | null
  onChange: (change: { location: string; point: Point | null }) => void
  maxLength: number
  hint?: string
}

/** Where something is: in words, and by a place of the institution or a point on its map. The page has to keep its draft. */
export function LocationField({
  point,
  location,
  onChange,
  maxLength,
  ...field
}: LocationFieldProps) {
  useChosenLocation(({ name, latitude, longitude }) =>
    onChange({
      // The room that was written already stands in the place: it says more than its name.
      location: location.startsWith(name) ? location : name.slice(0, maxLength),
      point: { latitude, longitude },
    }),
  )
  return (
    <div className="location-field">
      <Field
        value={location}
        // Words that are taken out take their point along.
        onValue={(text) => onChange({ location: text, point: text.trim() ? point : null })}
        maxLength={maxLength}
        {...field}
      />
      <div className="location-field-ways">
        {point ? (
          <span className="location-field-point">
            <LocationLink location={location} point={point}>
              {m.shell_location_marked()}
            </LocationLink>
            <IconButton
              label={m.shell_location_unmark()}
              onClick={() => onChange({ location, point: null })}
            >
              <Icon name="close" />
            </IconButton>
          </span>
        ) : null}
        <Button kind="plain" small onClick={chooseLocation}>
          <Icon name="map" />
          {point ? m.shell_location_choose_other() : m.shell_location_choose()}
        </Button>
      </div>
    </div>
  )
}

type LocationLinkProps = { location: string; point: Point; children: string }

/** To where it is, and the way there. */
export const LocationLink = ({ location, point, children }: LocationLinkProps) => (
  <Link
    className="location-field-link"
    to="/open-location"
    search={{ ...point, name: location || undefined }}
  >
    <Icon name="place" />
    {children}
  </Link>
)
