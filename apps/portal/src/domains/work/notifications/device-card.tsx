import { notifications } from '@atrium/contract/work/notifications'
import { useEffect, useState } from 'react'
import { invalidate } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { canPush, isSubscribed, PushRefused, subscribe, unsubscribe } from './push.ts'

/** Whether this device shows notifications. */
export function DeviceCard() {
  const [on, setOn] = useState(false)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (canPush) isSubscribed().then(setOn, () => {})
  }, [])
  async function change(isOn: boolean) {
    setBusy(true)
    try {
      await (isOn ? subscribe() : unsubscribe())
      setOn(isOn)
      invalidate(notifications.channels)
    } catch (error) {
      toast(error instanceof PushRefused ? m.notifications_refused() : m.notifications_failed())
    }
    setBusy(false)
  }
  return (
    <Card>
      <Switch
        label={m.notifications_device()}
        checked={on}
        disabled={!canPush || busy}
        onChange={(isOn) => void change(isOn)}
      />
      <p className="muted">
        {canPush ? m.notifications_device_text() : m.notifications_device_missing()}
      </p>
    </Card>
  )
}
