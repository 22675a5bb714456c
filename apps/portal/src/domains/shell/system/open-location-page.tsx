import './locations.css'
import { useMemo } from 'react'
import { environment } from '#lib/environment.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { copyText } from '#shell/container/actions.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { MapFrame } from './map-frame.tsx'
import { coordinates, mapLinks } from './places.ts'

/** Names and addresses come in the page's own address: whoever made it may have put a novel there. */
const longest = 200
const shorten = (text: string) => text.trim().slice(0, longest)

/** One place: on the map, in words, and on its way into a map app. */
export default function OpenLocationPage() {
  const { latitude, longitude, ...given } = useSearch('/open-location')
  const name = shorten(inLanguage(given.name ?? '', given.nameEn ?? ''))
  const address = shorten(inLanguage(given.address ?? '', given.addressEn ?? ''))
  const point = { latitude, longitude }
  const title = name || m.system_location()
  const markers = useMemo(
    () => [{ id: 'place', name: title, latitude, longitude }],
    [title, latitude, longitude],
  )
  const { amap, apple, app } = mapLinks(point, title, environment.os)
  return (
    <Page>
      <div className="column stack">
        <MapFrame markers={markers} chosenId="place" silent={m.system_map_silent_one()} />
        <Card title={title}>
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
        <div className="place-ways">
          {app ? (
            <a className="button button-primary button-wide" href={app}>
              {m.system_open_map_app()}
            </a>
          ) : null}
          {apple ? (
            <Button wide onClick={() => openAddress(apple)}>
              {m.system_open_apple()}
            </Button>
          ) : null}
          <Button wide kind={app || apple ? 'plain' : 'primary'} onClick={() => openAddress(amap)}>
            {m.system_open_amap()}
          </Button>
        </div>
      </div>
    </Page>
  )
}

type FactProps = { label: string; text: string; copy: string; copied: string }

function Fact({ label, text, copy, copied }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span className="num">{text}</span>
        <IconButton label={copy} onClick={() => void copyText(copied)}>
          <Icon name="clipboard" />
        </IconButton>
      </dd>
    </div>
  )
}
