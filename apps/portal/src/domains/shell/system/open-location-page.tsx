import './locations.css'
import { useMemo } from 'react'
import { environment } from '#lib/environment.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSystem } from '#shell/config.ts'
import { copyText } from '#shell/container/actions.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { MapFrame } from './map-frame.tsx'
import { hoursOfWeek, openingNow, placeKindName } from './place-labels.ts'
import { Opening } from './place-row.tsx'
import { coordinates, directionLinks } from './places.ts'
import { usePlaces } from './system-queries.ts'

/** Names and addresses come from the page's address, which anyone may have written at any length. */
const longest = 200
const shorten = (text: string) => text.trim().slice(0, longest)

/** One place: on the map, as text, and with links to map apps. */
export default function OpenLocationPage() {
  const { latitude, longitude, ...label } = useSearch('/open-location')
  const name = shorten(inLanguage(label.name ?? '', label.nameEn ?? ''))
  const address = shorten(inLanguage(label.address ?? '', label.addressEn ?? ''))
  const point = { latitude, longitude }
  const title = name || m.system_location()
  const markers = useMemo(
    () => [{ id: 'place', name: title, latitude, longitude }],
    [title, latitude, longitude],
  )
  const place = usePlaces('', label.id !== undefined).data?.find(({ id }) => id === label.id)
  return (
    <Page>
      <div className="column stack">
        <MapFrame markers={markers} chosenId="place" silent={m.system_map_silent_one()} />
        <Card title={title} aside={place ? <Pill>{placeKindName(place.kind)}</Pill> : null}>
          <dl className="place-facts">
            {address ? (
              <Fact
                label={m.system_address()}
                text={address}
                copy={m.system_copy_address()}
                copied={address}
              />
            ) : null}
            <Fact
              label={m.system_coordinates()}
              text={coordinates(point)}
              copy={m.system_copy_coordinates()}
              copied={`${latitude},${longitude}`}
            />
          </dl>
        </Card>
        <DirectionLinks links={directionLinks(point, title, environment.os)} />
        {/* What arrives late comes last, so that nothing above it moves. */}
        {place?.hours ? <Hours hours={place.hours} /> : null}
      </div>
    </Page>
  )
}

/** The device's own app first; the others are web pages, which open their app if installed. */
function DirectionLinks({ links }: { links: ReturnType<typeof directionLinks> }) {
  const names = {
    device: m.system_way_device(),
    apple: m.system_way_apple(),
    amap: m.system_way_amap(),
    tencent: m.system_way_tencent(),
    baidu: m.system_way_baidu(),
    google: m.system_way_google(),
  }
  return (
    <section className="place-ways" aria-label={m.system_ways()}>
      {links.map(({ app, href }, at) =>
        app === 'device' ? (
          <a key={app} className="button button-primary button-wide" href={href}>
            {names[app]}
          </a>
        ) : (
          <Button
            key={app}
            wide
            kind={at === 0 ? 'primary' : 'plain'}
            onClick={() => openAddress(href)}
          >
            {names[app]}
          </Button>
        ),
      )}
    </section>
  )
}

function Hours({ hours }: { hours: string }) {
  const opening = openingNow(hours, useSystem().timeZone, Date.now())
  if (!opening) return null
  return (
    <Card title={m.system_hours()} aside={<Opening {...opening} />}>
      <dl className="place-hours num">
        {hoursOfWeek(hours).map(({ days, times }) => (
          <div key={days}>
            <dt>{days}</dt>
            <dd>{times}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

type FactProps = { label: string; text: string; copy?: string; copied?: string }

function Fact({ label, text, copy, copied }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="num" lang={userTextLang(text)}>
          {text}
        </span>
        {copy && copied ? (
          <IconButton label={copy} onClick={() => void copyText(copied)}>
            <Icon name="clipboard" />
          </IconButton>
        ) : null}
      </dd>
    </div>
  )
}
