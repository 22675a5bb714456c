import './service-row.css'
import type { Service } from '@atrium/contract/services/services'
import { OutageLine } from '#domains/services/health/outage-line.tsx'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { useLongPress } from '#ui/long-press.ts'
import { MarkedText } from '#ui/marked-text.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'

type ServiceRowProps = {
  service: Service
  favourite: boolean
  opening: boolean
  /** Search terms to highlight. */
  words?: string
  onOpen: () => void
  onInfo: () => void
}

/** A service in a list: a tap opens it; its button or a long press shows details and the favourite button. */
export function ServiceRow(props: ServiceRowProps) {
  const { service, favourite, opening, words = '', onOpen, onInfo } = props
  const press = useLongPress(onInfo)
  const name = inLanguage(service.serviceName, service.serviceNameEn)
  return (
    <li className="service-row" {...press}>
      <button
        type="button"
        className="service-row-open"
        aria-busy={opening || undefined}
        onClick={onOpen}
      >
        <IconTile glyph={service.icon.glyph} tone={service.icon.tone} url={service.iconUrl} />
        <span className="service-row-text">
          <span className="service-row-name">
            {words ? (
              <MarkedText text={name} words={[words]} />
            ) : (
              <Bilingual zh={service.serviceName} en={service.serviceNameEn} />
            )}
            {favourite ? (
              <>
                {'\u00a0'}
                <Icon name="star-filled" label={m.services_favourites()} />
              </>
            ) : null}
          </span>
          <ServiceMarks service={service} />
          {words ? (
            <span className="muted">
              <MarkedText text={inLanguage(service.desc, service.descEn)} words={[words]} />
            </span>
          ) : null}
          <OutageLine outage={service.outage} />
          {service.notice ? (
            <span className="service-row-notice">
              <Icon name="warning" />
              <span>
                <Bilingual zh={service.notice} en={service.noticeEn} />
              </span>
            </span>
          ) : null}
        </span>
      </button>
      <span className="service-row-acts">
        <button
          type="button"
          className="service-row-act"
          aria-label={m.services_about({ name })}
          onClick={onInfo}
        >
          <Icon name="more" />
        </button>
      </span>
    </li>
  )
}

const markTexts = {
  new: m.services_mark_new,
  hot: m.services_mark_hot,
  official: m.services_mark_official,
  trial: m.services_mark_trial,
} as const

/** The department, and what to know before opening the service. */
export function ServiceMarks({ service }: { service: Service }) {
  // Despite its name ("show"), any value but 0 hides the mark.
  const hidden = useSettings().ENV_IS_SHOW_RECOMMEND_ICON !== '0'
  return (
    <span className="muted">
      {service.recommended && !hidden ? (
        <span className="service-mark">{m.services_recommended()}</span>
      ) : null}
      {service.marks.map((mark) => (
        <span key={mark} className="service-mark">
          {markTexts[mark]()}
        </span>
      ))}
      <Bilingual zh={service.departmentName} en={service.departmentNameEn} />
      {service.needsVpn ? `${service.departmentName ? ' · ' : ''}${m.services_needs_vpn()}` : null}
    </span>
  )
}
