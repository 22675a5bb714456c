/** Fewer readers than this are not counted by themselves: everybody would know who has not read it. */
const fewest = 5

export type Count = {
  code: string
  name: string
  nameEn: string
  confirmed: number
  waiting: number
}

/**
 * Organisations that can be told one by one, and the rest together. Where the rest would still be few, the smallest of the
 * others goes with them, or it could be told from the total.
 */
export function withoutFew(counts: readonly Count[]) {
  const sizeOf = ({ confirmed, waiting }: Count) => confirmed + waiting
  const organizations = counts.filter((count) => sizeOf(count) >= fewest)
  const few = counts.filter((count) => sizeOf(count) < fewest)
  while (few.length > 0 && sum(few, sizeOf) < fewest && organizations.length > 0) {
    const smallest = organizations.reduce((one, other) =>
      sizeOf(other) < sizeOf(one) ? other : one,
    )
    organizations.splice(organizations.indexOf(smallest), 1)
    few.push(smallest)
  }
  const others =
    few.length === 0
      ? null
      : {
          organizations: few.length,
          confirmed: sum(few, ({ confirmed }) => confirmed),
          waiting: sum(few, ({ waiting }) => waiting),
        }
  return { organizations, others }
}

const sum = (counts: readonly Count[], of: (count: Count) => number) =>
  counts.reduce((total, count) => total + of(count), 0)
