import { timeZones } from './time-zones.ts'

/** The zone everything is shown in, and the one somebody looks in for the moment (specification, shell 3 and 4). */
export type TimeZoneState = {
  globalTimeZone: string
  globalTimeZoneName: string
  tmpTimeZone: string
  tmpTimeZoneName: string
}

/** The label of a zone: the list's own, or the zone's id where the list does not hold it. */
const nameOf = (zone: string) => timeZones.find(({ value }) => value === zone)?.name ?? zone

const standard = 'Asia/Shanghai'

/** A change of the global zone resets the one of the moment, too. */
export const withGlobalZone = (zone = standard): TimeZoneState => ({
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

/** The global zone again. */
export const refreshTemporaryZone = (state: TimeZoneState): TimeZoneState =>
  withTemporaryZone(state, state.globalTimeZone)
