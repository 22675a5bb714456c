/** Privacy: organisations with fewer readers are not listed, as it would reveal who has not read the announcement. */
const minGroupSize = 5

export type ReaderCount = {
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
export function groupSmallOrganizations(counts: readonly ReaderCount[]) {
  const sizeOf = ({ confirmed, waiting }: ReaderCount) => confirmed + waiting
  const organizations = counts.filter((count) => sizeOf(count) >= minGroupSize)
  const small = counts.filter((count) => sizeOf(count) < minGroupSize)
  while (small.length > 0 && sum(small, sizeOf) < minGroupSize && organizations.length > 0) {
    const smallest = organizations.reduce((one, other) =>
      sizeOf(other) < sizeOf(one) ? other : one,
    )
    organizations.splice(organizations.indexOf(smallest), 1)
    small.push(smallest)
  }
  const others =
    small.length === 0
      ? null
      : {
          organizations: small.length,
          confirmed: sum(small, ({ confirmed }) => confirmed),
          waiting: sum(small, ({ waiting }) => waiting),
        }
  return { organizations, others }
}

const sum = (counts: readonly ReaderCount[], of: (count: ReaderCount) => number) =>
  counts.reduce((total, count) => total + of(count), 0)
