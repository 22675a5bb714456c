import { useTimeZone } from '#shell/time-zone.ts'
import { useScheduleSettings } from './schedule-queries.ts'

/** The zone for new times: the member's, or the temporarily chosen one. */
export function useClock() {
  const settings = useScheduleSettings()
  const { globalTimeZone, tmpTimeZone } = useTimeZone()
  const temporaryZone = tmpTimeZone === globalTimeZone ? undefined : tmpTimeZone
  return { settings, zone: temporaryZone ?? settings.data?.timeZone }
}
