import { useTimeZone } from '#shell/time-zone.ts'
import { useScheduleSettings } from './schedule-queries.ts'

/** The zone that new times are said in: the member's, or the one they look in for now. */
export function useClock() {
  const settings = useScheduleSettings()
  const { globalTimeZone, tmpTimeZone } = useTimeZone()
  const looked = tmpTimeZone === globalTimeZone ? undefined : tmpTimeZone
  return { settings, zone: looked ?? settings.data?.timeZone }
}
