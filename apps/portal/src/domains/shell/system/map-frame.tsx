import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Icon } from '#ui/media/icon.tsx'

const MapView = lazy(() => import('./map-view.tsx'))

type MapFrameProps = Omit<ComponentProps<typeof MapView>, 'host' | 'onSilent'> & {
  /** Text shown if the map is unavailable. */
  silent: string
}

/** The map, if a tile server is configured and responds; else the text. Renders nothing without a tile server. */
export function MapFrame({ silent, ...map }: MapFrameProps) {
  const { mapTileUrl } = useSettings()
  const [isSilent, setSilent] = useState(false)
  if (!mapTileUrl) return null
  if (isSilent) {
    return (
      <p className="map-silent" role="status">
        <Icon name="offline" />
        {silent}
      </p>
    )
  }
  return (
    <div className="map-frame">
      <Suspense fallback={<Skeleton height={320} label={m.shell_loading()} />}>
        <MapView {...map} host={hostOf(mapTileUrl)} onSilent={() => setSilent(true)} />
      </Suspense>
    </div>
  )
}

/** example.org of https://{s}.tiles.example.org/{z}/{x}/{y}.png */
const hostOf = (template: string) => /^https?:\/\/(?:\{\w+\}\.)?([^/:]+)/.exec(template)?.[1] ?? ''
