import { figures } from '@atrium/rules/figures'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { shareLink } from '#shell/container/actions.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { shareItem } from './share-item.ts'
import { type Shareable, useShareLink, useShareType, useShareWithName } from './share-queries.ts'
import { ShareSheet } from './share-sheet.tsx'

/**
 * Shares a service or an article in the way the institution has configured; renders nothing if sharing is off.
 * @param worded shows a label, beside other buttons with labels
 */
export function ShareButton({ kind, id, worded }: Shareable & { worded?: boolean }) {
  const type = useShareType(kind)
  const quick = type === figures.serviceShare.quick
  const { named } = useShareWithName()
  const [open, setOpen] = useState(false)
  const link = useShareLink({ kind, id }, named, quick)
  if (type === figures.serviceShare.off) return null
  const start = async () => {
    if (!quick) return setOpen(true)
    const data = link.data ?? (await link.refetch()).data
    if (data) await shareLink(shareItem(data))
    else toast(link.error?.message ?? m.container_share_failed())
  }
  return (
    <>
      {worded ? (
        <Button kind="plain" small onClick={() => void start()}>
          <Icon name="share" /> {m.share_share()}
        </Button>
      ) : (
        <IconButton label={m.share_share()} onClick={() => void start()}>
          <Icon name="share" />
        </IconButton>
      )}
      {open ? <ShareSheet kind={kind} id={id} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
