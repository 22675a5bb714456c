/** Privacy: organisations with fewer readers are not listed, as it would reveal who has not read the announcement. */
const fewest = 5

export type Count = {
  code: string
  name: string
  nameEn: string
  confirmed: number
  waiting: number
}

/**
 * Splits counts into organisations listed individually and the rest combined. If the rest is still too small, the
 * smallest listed organisation joins it; otherwise the rest could be derived from the total.
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
