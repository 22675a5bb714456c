import './pc-offer.css'
import { useState } from 'react'
import { environment } from '#lib/environment.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Points desktop users to the institution's desktop portal, until they close it. */
export function PcOffer() {
  const { pcPortalUrl } = useSettings()
  const [closed, setClosed] = useState(() => read('pcOfferClosed') ?? false)
  if (!environment.isDesktop || !pcPortalUrl || closed) return null
  const close = () => {
    write('pcOfferClosed', true)
    setClosed(true)
  }
  return (
    <aside className="pc-offer" aria-label={m.shell_pc_offer()}>
      <Icon name="desktop" />
      <p>{m.shell_pc_offer()}</p>
      <a href={pcPortalUrl} target="_blank" rel="noopener noreferrer">
        {m.shell_pc_offer_open()}
      </a>
      <IconButton label={m.shell_close()} onClick={close}>
        <Icon name="close" />
      </IconButton>
    </aside>
  )
}
