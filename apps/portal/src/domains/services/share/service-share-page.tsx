import './share.css'
import type { Service } from '@atrium/contract/services/services'
import { namelessSharer } from '@atrium/contract/services/share'
import { isUnavailable, outageState } from '@atrium/rules/outage'
import { useEffect } from 'react'
import { OutageDetails } from '#domains/services/health/outage-details.tsx'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconTile } from '#ui/media/icon-tile.tsx'
import { isRefused, Refused } from './refused.tsx'
import { useSharedService } from './share-queries.ts'
import { useWeChatShare } from './use-wechat-share.ts'

/** The page behind a shared link to a service. */
export default function ServiceSharePage() {
  const { serviceInfo } = useSearch('/pages/service/serviceShare')
  const shared = useSharedService(serviceInfo)
  return (
    <Page onRefresh={shared.refetch}>
      <div className="column stack">
        {isRefused(shared.error) ? (
          <Refused kind="service" error={shared.error} />
        ) : (
          <QueryView query={shared} skeleton={<Skeleton height={240} label={m.shell_loading()} />}>
            {({ service, sharerName, sharerNameEn, direct }) => (
              <Shared
                service={service}
                sharerName={sharerName}
                sharerNameEn={sharerNameEn}
                leads={direct ? serviceInfo : undefined}
              />
            )}
          </QueryView>
        )}
      </div>
    </Page>
  )
}

/** Addresses already forwarded since the app started: returning to one does not forward again. */
const led = new Set<string>()

type SharedProps = {
  service: Service
  sharerName: string
  sharerNameEn: string
  leads: string | undefined
}

function Shared({ service, sharerName, sharerNameEn, leads }: SharedProps) {
  const { open, opening } = useOpenService()
  const visitor = useSession() === null
  const { serviceId, outage } = service
  const name = inLanguage(service.serviceName, service.serviceNameEn)
  useWeChatShare(name, inLanguage(service.desc, service.descEn), service.iconUrl)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each address
  useEffect(() => {
    if (!leads || led.has(leads)) return
    led.add(leads)
    // Following a link is not a request to open the service: one that is out of service is shown, not opened.
    if (!outage || !isUnavailable(outageState(outage, new Date()))) open(serviceId)
  }, [leads])
  return (
    <Card>
      <article className="shared">
        {sharerName === namelessSharer ? null : (
          <p className="shared-by">{m.share_by({ name: inLanguage(sharerName, sharerNameEn) })}</p>
        )}
        <div className="shared-head">
          <IconTile glyph={service.icon.glyph} tone={service.icon.tone} url={service.iconUrl} />
          <div>
            <h2>
              <Bilingual zh={service.serviceName} en={service.serviceNameEn} />
            </h2>
            <p className="muted">
              <Bilingual zh={service.departmentName} en={service.departmentNameEn} />
            </p>
          </div>
        </div>
        {service.desc || service.descEn ? (
          <p>
            <Bilingual zh={service.desc} en={service.descEn} />
          </p>
        ) : null}
        {service.notice ? (
          <p className="muted">
            <Bilingual zh={service.notice} en={service.noticeEn} />
          </p>
        ) : null}
        <OutageDetails outage={outage} onOpen={open} />
        <div className="shared-actions">
          <Button wide busy={opening !== undefined} onClick={() => open(serviceId)}>
            {m.share_open()}
          </Button>
          {visitor ? (
            <Button wide kind="plain" onClick={() => signIn()}>
              {m.shell_sign_in()}
            </Button>
          ) : null}
        </div>
      </article>
    </Card>
  )
}
