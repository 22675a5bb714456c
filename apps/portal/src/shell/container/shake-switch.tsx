import { m } from '#paraglide/messages.js'
import { Switch } from '#ui/form/switch.tsx'
import { askPermission } from './shake.ts'
import { chooseShaking, useShakeChoice, useShakeLink } from './shake-setting.ts'

/** Shaking can be turned off, for hands that shake by themselves. Nothing where the operators have not turned it on. */
export function ShakeSwitch() {
  const link = useShakeLink()
  const choice = useShakeChoice()
  if (!link) return null
  const choose = async (wanted: boolean) => {
    const granted = wanted && (await askPermission().catch(() => false))
    chooseShaking(granted ? 'on' : 'off')
  }
  return (
    <Switch
      label={m.container_shake()}
      checked={choice === 'on'}
      onChange={(wanted) => void choose(wanted)}
    />
  )
}
