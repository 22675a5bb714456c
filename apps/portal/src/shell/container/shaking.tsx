import './shaking.css'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { m } from '#paraglide/messages.js'
import { getCurrentScreen, onScreenChange } from '#shell/navigation/current-screen.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { needsPermission, onShake, requestPermission } from './shake.ts'
import { chooseShaking, useShakeChoice, useShakeLink } from './shake-setting.ts'

/**
 * Opens the operators' link when the device is shaken. If the device requires permission, home shows a request for it.
 */
export function Shaking() {
  const link = useShakeLink()
  const choice = useShakeChoice()
  const [permitted, setPermitted] = useState(!needsPermission())
  useEffect(() => {
    if (link && permitted && choice === 'on') return onShake(() => openAddress(link))
  }, [link, permitted, choice])
  useEffect(() => {
    // iOS needs a new request on every page load, answered silently once the user has agreed; only a tap may make it.
    if (!link || permitted || choice !== 'on') return
    const requestAgain = () => void requestPermission().then(setPermitted, () => {})
    addEventListener('click', requestAgain, { once: true })
    return () => removeEventListener('click', requestAgain)
  }, [link, permitted, choice])
  const currentScreen = useSyncExternalStore(onScreenChange, getCurrentScreen)
  if (!link || choice !== 'unasked' || currentScreen?.entry.path !== homePath()) return null
  const allow = async () => {
    const granted = await requestPermission().catch(() => false)
    setPermitted(granted)
    chooseShaking(granted ? 'on' : 'off')
  }
  return (
    <aside className="shake-question" aria-label={m.container_shake()}>
      <Icon name="mobile" />
      <p>{m.container_shake_question()}</p>
      <span className="shake-answers">
        <Button small onClick={() => void allow()}>
          {m.container_shake_allow()}
        </Button>
        <IconButton label={m.shell_close()} onClick={() => chooseShaking('off')}>
          <Icon name="close" />
        </IconButton>
      </span>
    </aside>
  )
}
