import { timeZones } from './time-zones.ts'

/** The zone for all times, and a temporary one (specification, shell 3 and 4). */
export type TimeZoneState = {
  globalTimeZone: string
  globalTimeZoneName: string
  tmpTimeZone: string
  tmpTimeZoneName: string
}

/** The label of a zone, or its id if the list does not contain it. */
const nameOf = (zone: string) => timeZones.find(({ value }) => value === zone)?.name ?? zone

const defaultZone = 'Asia/Shanghai'

/** Setting the global zone also resets the temporary one. */
export const withGlobalZone = (zone = defaultZone): TimeZoneState => ({
  globalTimeZone: zone,
  globalTimeZoneName: nameOf(zone),
  tmpTimeZone: zone,
  tmpTimeZoneName: nameOf(zone),
})

export const withTemporaryZone = (state: TimeZoneState, zone: string): TimeZoneState => ({
  ...state,
  tmpTimeZone: zone,
  tmpTimeZoneName: nameOf(zone),
})

/** Resets the temporary zone to the global one. */
export const refreshTemporaryZone = (state: TimeZoneState): TimeZoneState =>
  withTemporaryZone(state, state.globalTimeZone)
