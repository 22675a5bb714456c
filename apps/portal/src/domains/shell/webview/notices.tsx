import type { WebAddress } from '@atrium/contract/shell/webview'
import type { ReactNode } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Empty } from '#ui/feedback/empty.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { ExternalLink } from './external-link.tsx'

type NoticeProps = { address: WebAddress }

/** Names the external site that the user is about to visit. */
export const LeavingNotice = ({ address }: NoticeProps) => (
  <Notice
    icon="external"
    title={m.webview_leaving()}
    text={m.webview_leaving_text()}
    address={address}
    linkLabel={m.webview_continue()}
  />
)

/** Shown instead of a blank page if the site does not allow framing. */
export const ExternalOnlyNotice = ({ address }: NoticeProps) => (
  <Notice
    icon="desktop"
    title={m.webview_outside_only()}
    text={m.webview_outside_only_text()}
    address={address}
    linkLabel={m.webview_open_outside()}
  />
)

/** Shown if the server could not reach the site. The phone may, on another network. */
export const UnreachableNotice = ({ address, onTry }: NoticeProps & { onTry: () => void }) => (
  <Notice
    icon="offline"
    title={m.webview_unreachable()}
    text={m.webview_unreachable_text()}
    address={address}
    linkLabel={m.webview_open_outside()}
  >
    <Button kind="plain" wide onClick={onTry}>
      {m.webview_try_here()}
    </Button>
  </Notice>
)

/** An address that we do not open. */
export const RefusedNotice = () => (
  <Empty
    icon="warning"
    title={m.webview_refused()}
    action={
      <Button kind="plain" onClick={() => back()}>
        {m.shell_back()}
      </Button>
    }
  >
    {m.webview_refused_text()}
  </Empty>
)

function Notice({
  icon,
  title,
  text,
  address,
  linkLabel,
  children,
}: NoticeProps & {
  icon: IconName
  title: string
  text: string
  /** Label of the link that opens the site. */
  linkLabel: string
  children?: ReactNode
}) {
  const { host, hostCode, service, url } = address
  return (
    <section className="web-notice">
      <Icon name={icon} />
      <h2>{title}</h2>
      {service ? <p>{inLanguage(service.name, service.nameEn)}</p> : null}
      <p className="web-notice-host">{hostCode || host}</p>
      {hostCode ? (
        <p className="web-notice-warning">
          <Icon name="warning" />
          <span>{m.webview_lookalike({ host })}</span>
        </p>
      ) : null}
      <p>{text}</p>
      <p className="muted web-notice-address">{url}</p>
      <ExternalLink className="button button-primary button-wide" url={url}>
        {linkLabel}
      </ExternalLink>
      {children}
      <Button kind="plain" wide onClick={() => back()}>
        {m.webview_stay()}
      </Button>
    </section>
  )
}
