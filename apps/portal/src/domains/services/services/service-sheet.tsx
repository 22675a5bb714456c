import './service-sheet.css'
import type { Service } from '@atrium/contract/services/services'
import { ServiceOpinions } from '#domains/services/evaluation/service-opinions.tsx'
import { OutageDetails, ReportOutage } from '#domains/services/health/outage-details.tsx'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { ShareButton } from '#domains/services/share/share-button.tsx'
import { formatShortNumber } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { PictureWithFallback } from '#ui/media/picture-with-fallback.tsx'
import { ServiceMarks } from './service-row.tsx'
import { useServiceDetail } from './services-queries.ts'

type ServiceSheetProps = {
  service: Service
  favourite: boolean
  onOpen: () => void
  onFavourite: () => void
  onClose: () => void
}

/** Details of a service, shown before opening it. */
export function ServiceSheet(props: ServiceSheetProps) {
  const { service, favourite, onOpen, onFavourite, onClose } = props
  const detail = useServiceDetail(service.serviceId)
  const { open } = useOpenService()
  const { isShowFeedback } = useSettings()
  const member = useSession() !== null
  return (
    <Sheet
      open
      onClose={onClose}
      title={inLanguage(service.serviceName, service.serviceNameEn)}
      actions={
        <>
          <Button kind="plain" onClick={onFavourite} aria-pressed={favourite}>
            {favourite ? m.services_favourite_remove() : m.services_favourite_add()}
          </Button>
          <Button onClick={onOpen}>{m.services_open()}</Button>
        </>
      }
    >
      <div className="service-sheet">
        <div className="service-sheet-head">
          <IconTile glyph={service.icon.glyph} tone={service.icon.tone} url={service.iconUrl} />
          <div>
            <ServiceMarks service={service} />
            {service.useCount > 0 ? (
              <p className="muted">
                {m.services_used({ count: formatShortNumber(service.useCount) })}
              </p>
            ) : null}
          </div>
          <ShareButton kind="service" id={service.serviceId} />
        </div>
        <OutageDetails outage={service.outage} onOpen={open} />
        {service.notice ? (
          <p className="service-sheet-notice">
            <Bilingual zh={service.notice} en={service.noticeEn} />
          </p>
        ) : null}
        {service.desc || service.descEn ? (
          <p>
            <Bilingual zh={service.desc} en={service.descEn} />
          </p>
        ) : null}
        <QueryView
          query={detail}
          skeleton={<Skeleton rows={2} height={44} label={m.shell_loading()} />}
        >
          {({ runTime, contactInformation, cardImage }) => (
            <>
              <PictureWithFallback
                className="service-sheet-image"
                src={cardImage}
                fallback={null}
              />
              <dl className="service-sheet-facts">
                {runTime ? (
                  <div>
                    <dt>{m.services_hours()}</dt>
                    <dd>{runTime}</dd>
                  </div>
                ) : null}
                {contactInformation ? (
                  <div>
                    <dt>{m.services_contact()}</dt>
                    <dd>{contactInformation}</dd>
                  </div>
                ) : null}
              </dl>
            </>
          )}
        </QueryView>
        {service.tags.length > 0 ? (
          <ul className="service-sheet-tags" aria-label={m.services_tags()}>
            {service.tags.map((tag) => (
              <li key={tag}>
                <Link
                  className="service-sheet-tag"
                  to="/pages/service/search"
                  search={{ keyWords: tag }}
                  aria-label={m.services_tag({ tag })}
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        <ServiceOpinions service={service} />
        <ReportOutage serviceId={service.serviceId} />
        {member && isShowFeedback === '1' ? (
          <Link
            className="service-sheet-link"
            to="/pages/myInfo/suggestNew"
            search={{ serviceId: service.serviceId }}
          >
            {m.feedback_this_service()}
          </Link>
        ) : null}
      </div>
    </Sheet>
  )
}
