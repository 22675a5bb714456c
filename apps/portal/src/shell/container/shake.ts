import { environment } from '#lib/environment.ts'

/** What a hand does in a second, not what a bus does: three strong jolts, then some time of rest before the next. */
const strong = 18
const jolts = 3
const span = 1000
const rest = 3000

/** Takes accelerations without gravity, in m/s² along the three axes, with their time, and answers when it is a shake. */
export function shakeDetector() {
  let times: number[] = []
  let restUntil = 0
  let inJolt = false
  return (x: number, y: number, z: number, now: number) => {
    const moving = Math.sqrt(x * x + y * y + z * z) > strong
    const begins = moving && !inJolt
    inJolt = moving
    if (!begins || now < restUntil) return false
    times = [...times.filter((time) => now - time < span), now]
    if (times.length < jolts) return false
    times = []
    restUntil = now + rest
    return true
  }
}

type Asking = typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> }

/** iOS tells a page how the device moves only after the person said so, asked in a tap. Others have the call and need none. */
export const needsPermission = () =>
  environment.isIOS &&
  typeof DeviceMotionEvent !== 'undefined' &&
  'requestPermission' in DeviceMotionEvent

/** Has to be called in the tap itself. True where nobody needs to be asked. */
export const askPermission = async () =>
  !needsPermission() || (await (DeviceMotionEvent as Asking).requestPermission?.()) === 'granted'

/** Calls back at every shake while the page shows; answers how to stop. */
export function onShake(callback: () => void) {
  const shaken = shakeDetector()
  const feel = ({
    acceleration,
    accelerationIncludingGravity: with_,
    timeStamp,
  }: DeviceMotionEvent) => {
    // Devices without a gyroscope cannot take gravity out: what is left of its 9.8 m/s² is far below a jolt.
    const { x, y, z } = (acceleration?.x == null ? with_ : acceleration) ?? {}
    if (!document.hidden && shaken(x ?? 0, y ?? 0, z ?? 0, timeStamp)) callback()
  }
  addEventListener('devicemotion', feel)
  return () => removeEventListener('devicemotion', feel)
}
