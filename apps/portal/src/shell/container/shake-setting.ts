import { useSyncExternalStore } from 'react'
import { environment } from '#lib/environment.ts'
import { read, write } from '#lib/storage.ts'
import { useSettings } from '../config.ts'
import { needsPermission } from './shake.ts'

export type ShakeChoice = 'on' | 'off' | 'unasked'
const listeners = new Set<() => void>()

/** The member's choice. Defaults to `unasked` if the device requires permission, otherwise `on`. */
const getChoice = (): ShakeChoice => read('shaking') ?? (needsPermission() ? 'unasked' : 'on')

export function chooseShaking(choice: 'on' | 'off') {
  write('shaking', choice)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
export const useShakeChoice = () => useSyncExternalStore(subscribe, getChoice)

/** The address that shaking opens; empty if operators have not turned it on or the device is not mobile. */
export function useShakeLink() {
  const { shake } = useSettings()
  return environment.isMobile ? shakeLink(shake) : ''
}

function shakeLink(setting: string | undefined) {
  try {
    const { openShake, shake_link } = JSON.parse(setting ?? '{}')
    return openShake === '1' && typeof shake_link === 'string' ? shake_link : ''
  } catch {
    return ''
  }
}
