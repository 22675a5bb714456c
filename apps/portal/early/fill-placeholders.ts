import { type Day, gridOf } from '../src/domains/work/schedule/days.ts'

type Device = { userAgent: string; maxTouchPoints: number; today: Day }

/**
 * Fills in values of a tab's first requests that depend on the device; undefined if they cannot be determined cheaply. A
 * wrong guess only wastes a request.
 */
export function fillPlaceholders(
  path: string,
  { userAgent, maxTouchPoints, today }: Device,
): string | undefined {
  if (
    path.includes('%terminal%') &&
    /MicroMessenger|AlipayClient|SuperApp|QQ\/|TIM\//.test(userAgent)
  )
    return undefined
  const isMobile =
    /Android|iPhone|iPad|iPod|Harmony|ArkWeb/.test(userAgent) ||
    (maxTouchPoints > 1 && userAgent.includes('Macintosh'))
  const days = gridOf(today.slice(0, 7))
  return path
    .replace('%terminal%', isMobile ? '6' : '1')
    .replace('%from%', days[0] ?? '')
    .replace('%to%', days[41] ?? '')
}
