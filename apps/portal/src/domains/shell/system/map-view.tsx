import 'leaflet/dist/leaflet.css'
import './map-view.css'
import { map as endpoints } from '@atrium/contract/shell/map'
import Leaflet from 'leaflet'
import { useEffect, useRef } from 'react'
import { htmlLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import type { Point } from './places.ts'

type Marker = Point & { id: string; name: string }

type MapViewProps = {
  markers: readonly Marker[]
  chosenId: string | undefined
  /** The member's position, if known. */
  here?: Point | undefined
  /** Host of the tile server in mapTileUrl. */
  host: string
  onMarker?: (id: string) => void
  onPoint?: (point: Point) => void
  /** Called if no tile loads, so there is nothing to see. */
  onSilent: () => void
}

const tiles = endpoints.tile.path
/** Zoom level at which a campus fills a phone's screen. */
const closeUp = 16

/** A map of the institution, using Leaflet. Large, so pages load it only if there are tiles. */
export default function MapView({
  markers,
  chosenId,
  here,
  host,
  onMarker,
  onPoint,
  onSilent,
}: MapViewProps) {
  const frame = useRef<HTMLElement>(null)
  const map = useRef<Leaflet.Map>(undefined)
  const on = useRef({ onMarker, onPoint, onSilent })
  on.current = { onMarker, onPoint, onSilent }

  useEffect(() => {
    if (!frame.current) return
    const made = openMap(frame.current, host)
    made.map.on('click', ({ latlng: { lat, lng } }) => {
      const { lat: latitude, lng: longitude } = Leaflet.latLng(lat, lng).wrap()
      on.current.onPoint?.({ latitude, longitude })
    })
    let loaded = 0
    let failed = 0
    made.tiles.on('tileload', () => loaded++)
    made.tiles.on('tileerror', () => {
      failed++
      if (loaded === 0 && failed >= 4) on.current.onSilent()
    })
    map.current = made.map
    return () => {
      made.map.remove()
      map.current = undefined
    }
  }, [host])

  // Markers are few and rarely change, so all are recreated.
  const began = useRef(false)
  useEffect(() => {
    if (!map.current) return
    const shown = markers.map((marker) =>
      pin(marker, marker.id === chosenId)
        .on('click', () => on.current.onMarker?.(marker.id))
        .addTo(map.current as Leaflet.Map),
    )
    if (here) shown.push(dot(here).addTo(map.current))
    const chosen = markers.find(({ id }) => id === chosenId)
    if (chosen) {
      map.current.setView(latLng(chosen), Math.max(map.current.getZoom() || 0, closeUp))
    } else if (!began.current && markers.length > 0) {
      map.current.fitBounds(Leaflet.latLngBounds(markers.map(latLng)), {
        padding: [24, 24],
        maxZoom: closeUp,
      })
    } else if (!began.current) {
      map.current.setView([0, 0], 2)
    }
    began.current ||= markers.length > 0
    return () => {
      for (const marker of shown) marker.remove()
    }
  }, [markers, chosenId, here])

  return <section className="map-view" ref={frame} aria-label={m.system_map()} />
}

function openMap(frame: HTMLElement, host: string) {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  const map = Leaflet.map(frame, {
    minZoom: 2,
    worldCopyJump: true,
    zoomControl: false,
    zoomAnimation: !calm,
    fadeAnimation: !calm,
    markerZoomAnimation: !calm,
  })
  map.attributionControl.setPrefix(false)
  Leaflet.control.zoom({ zoomInTitle: m.ui_zoom_in(), zoomOutTitle: m.ui_zoom_out() }).addTo(map)
  const layer = Leaflet.tileLayer(tiles, {
    maxZoom: 19,
    attribution: m.system_map_from({ host }),
  }).addTo(map)
  frame.lang = htmlLang()
  return { map, tiles: layer }
}

const latLng = ({ latitude, longitude }: Point): Leaflet.LatLngTuple => [latitude, longitude]

/** The touch target is larger than the drawing. Keyboard users have the list beside the map. */
const pin = (marker: Marker, chosen: boolean) =>
  Leaflet.marker(latLng(marker), {
    title: marker.name,
    alt: marker.name,
    keyboard: false,
    zIndexOffset: chosen ? 1000 : 0,
    icon: Leaflet.divIcon({
      className: chosen ? 'map-pin map-pin-chosen' : 'map-pin',
      iconSize: [44, 44],
      iconAnchor: [22, 36],
    }),
  })

const dot = (point: Point) =>
  Leaflet.marker(latLng(point), {
    interactive: false,
    keyboard: false,
    alt: '',
    icon: Leaflet.divIcon({ className: 'map-here', iconSize: [18, 18] }),
  })
