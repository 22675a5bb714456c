type Named = { name: string; nameEn: string }

/** The place of a room: the place with the longest name, in either language, that the room's name begins with. */
export const findPlaceOfRoom = <P extends Named>(
  location: string,
  places: readonly P[],
): P | undefined =>
  places
    .filter(({ name, nameEn }) =>
      [name, nameEn].some(
        (one) => one !== '' && location.toLowerCase().startsWith(one.toLowerCase()),
      ),
    )
    .sort((a, b) => b.name.length - a.name.length)[0]
