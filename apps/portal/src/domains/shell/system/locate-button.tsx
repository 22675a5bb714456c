import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { callContainer } from '#shell/container/container.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import type { Point } from './places.ts'

/** Locates only on a tap, so that the permission prompt has an obvious reason. */
export function LocateButton({ onLocate }: { onLocate: (here: Point) => void }) {
  const [busy, setBusy] = useState(false)
  const locate = async () => {
    setBusy(true)
    try {
      const { latitude, longitude } = await callContainer('locate')
      onLocate({ latitude, longitude })
      toast(m.system_located())
    } catch {
      toast(m.system_locate_failed())
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton label={m.system_locate()} disabled={busy} onClick={locate}>
      <Icon name="locate" />
    </IconButton>
  )
}
