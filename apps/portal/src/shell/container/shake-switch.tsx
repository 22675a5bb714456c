import { m } from '#paraglide/messages.js'
import { Switch } from '#ui/form/switch.tsx'
import { requestPermission } from './shake.ts'
import { chooseShaking, useShakeChoice, useShakeLink } from './shake-setting.ts'

/**
 * Lets members turn shaking off, for example because of a tremor. Renders nothing if operators have not turned it on.
 */
export function ShakeSwitch() {
  const link = useShakeLink()
  const choice = useShakeChoice()
  if (!link) return null
  const choose = async (isOn: boolean) => {
    const granted = isOn && (await requestPermission().catch(() => false))
    chooseShaking(granted ? 'on' : 'off')
  }
  return (
    <Switch
      label={m.container_shake()}
      checked={choice === 'on'}
      onChange={(isOn) => void choose(isOn)}
    />
  )
}
