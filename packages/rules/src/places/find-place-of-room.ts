/** Places that a device stored before an upgrade have no short name. */
type Named = { name: string; nameEn: string; shortName?: string }

/** Whether the name of a room begins with that of a place, in any case; an empty name begins none. */
export const beginsWith = (location: string, name = '') =>
  name !== '' && location.toLowerCase().startsWith(name.toLowerCase())

/** The place of a room: the place with the longest name, in either language, that the room's name begins with. */
export const findPlaceOfRoom = <P extends Named>(
  location: string,
  places: readonly P[],
): P | undefined =>
  places
    .filter(({ name, nameEn, shortName }) =>
      [name, nameEn, shortName].some((one) => beginsWith(location, one)),
    )
    .sort((a, b) => b.name.length - a.name.length)[0]
