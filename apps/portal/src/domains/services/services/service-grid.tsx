import './service-grid.css'
import type { Service } from '@atrium/contract/services/services'
import { figures } from '@atrium/rules/figures'
import type { CSSProperties, ReactNode } from 'react'
import { OutageMark } from '#domains/services/health/outage-line.tsx'
import { useSettings } from '#shell/config.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'

type ServiceGridProps = {
  list: readonly Service[]
  opening: string | undefined
  onOpen: (serviceId: string) => void
  /** The last tile. */
  children?: ReactNode
}

/** Services as tiles, five per row unless configured otherwise; fewer with large text. */
export function ServiceGrid({ list, opening, onOpen, children }: ServiceGridProps) {
  const perRow = Math.max(3, Number(useSettings().servicesNumPerRow) || figures.servicesPerRow)
  return (
    <ul className="service-grid" style={{ '--per-row': perRow } as CSSProperties}>
      {list.map(({ serviceId, serviceName, serviceNameEn, icon, iconUrl, outage }) => (
        <li key={serviceId}>
          <button
            type="button"
            className="service-tile"
            aria-busy={opening === serviceId || undefined}
            onClick={() => onOpen(serviceId)}
          >
            <span className="outage-place">
              <IconTile glyph={icon.glyph} tone={icon.tone} url={iconUrl} />
              <OutageMark outage={outage} />
            </span>
            <span className="service-tile-name">
              <Bilingual zh={serviceName} en={serviceNameEn} />
            </span>
          </button>
        </li>
      ))}
      {children ? <li className="service-grid-last">{children}</li> : null}
    </ul>
  )
}
