import { environment } from '#lib/environment.ts'

/**
 * Tuned to tell a hand from a bus: three strong jolts (m/s²) within `span` ms, then `cooldown` ms before the next shake.
 */
const joltThreshold = 18
const minJolts = 3
const span = 1000
const cooldown = 3000

/**
 * Returns a detector. It takes acceleration without gravity in m/s² along three axes and the time in ms, and returns
 * true on a shake.
 */
export function shakeDetector() {
  let times: number[] = []
  let cooldownUntil = 0
  let inJolt = false
  return (x: number, y: number, z: number, now: number) => {
    const moving = Math.sqrt(x * x + y * y + z * z) > joltThreshold
    const begins = moving && !inJolt
    inJolt = moving
    if (!begins || now < cooldownUntil) return false
    times = [...times.filter((time) => now - time < span), now]
    if (times.length < minJolts) return false
    times = []
    cooldownUntil = now + cooldown
    return true
  }
}

type MotionPermission = typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> }

/**
 * iOS reports motion to a page only after the user has allowed it, requested in a tap. Elsewhere no permission is
 * needed.
 */
export const needsPermission = () =>
  environment.isIOS &&
  typeof DeviceMotionEvent !== 'undefined' &&
  'requestPermission' in DeviceMotionEvent

/** Must be called directly in a tap handler. True if no permission is needed. */
export const requestPermission = async () =>
  !needsPermission() ||
  (await (DeviceMotionEvent as MotionPermission).requestPermission?.()) === 'granted'

/** Calls back on every shake while the page is visible; returns an unsubscribe function. */
export function onShake(callback: () => void) {
  const isShake = shakeDetector()
  const onMotion = ({
    acceleration,
    accelerationIncludingGravity: with_,
    timeStamp,
  }: DeviceMotionEvent) => {
    // Devices without a gyroscope cannot subtract gravity; its 9.8 m/s² is far below the jolt threshold.
    const { x, y, z } = (acceleration?.x == null ? with_ : acceleration) ?? {}
    if (!document.hidden && isShake(x ?? 0, y ?? 0, z ?? 0, timeStamp)) callback()
  }
  addEventListener('devicemotion', onMotion)
  return () => removeEventListener('devicemotion', onMotion)
}
