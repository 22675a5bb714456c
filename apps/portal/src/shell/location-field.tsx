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
  /** free text */
  location: string
  /** its coordinates, once a place was chosen */
  point: Point | null
  onChange: (change: { location: string; point: Point | null }) => void
  maxLength: number
  hint?: string
}

/**
 * Input for a location: free text, plus a place of the institution or a point on the map. The page must save its draft,
 * because choosing leaves it.
 */
export function LocationField({
  point,
  location,
  onChange,
  maxLength,
  ...field
}: LocationFieldProps) {
  useChosenLocation(({ name, latitude, longitude }) =>
    onChange({
      // Keep the text if it already begins with the place's name: it adds details such as the room.
      location: location.startsWith(name) ? location : name.slice(0, maxLength),
      point: { latitude, longitude },
    }),
  )
  return (
    <div className="location-field">
      <Field
        value={location}
        // Clearing the text also clears the point.
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

/** Links to the map page for this location, which also offers directions. */
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
