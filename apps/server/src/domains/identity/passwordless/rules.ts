/** At most `max` within `seconds`. */
type Limit = { max: number; seconds: number }

const hour = 3600
const day = 24 * hour

export const limits = {
  contact: [
    { max: 1, seconds: 60 },
    { max: 5, seconds: hour },
    { max: 10, seconds: day },
  ],
  device: [{ max: 10, seconds: day }],
  member: [
    { max: 10, seconds: hour },
    { max: 20, seconds: day },
  ],
} satisfies Record<string, Limit[]>

/** Codes per contact, device or address and day without a captcha. */
export const captchaFreeRequests = 2

/**
 * Seconds until another is allowed; 0: now.
 * @param ages of earlier ones, in seconds
 */
export function secondsUntilAllowed(ages: readonly number[], limits: readonly Limit[]): number {
  const sortedAges = [...ages].sort((one, other) => one - other)
  return Math.max(
    0,
    ...limits.map(({ max, seconds }) => {
      const oldest = sortedAges[max - 1]
      return oldest === undefined ? 0 : Math.ceil(seconds - oldest)
    }),
  )
}

/** Masks a contact so that only its owner recognises it: 138••••0001, l•••@stu.example.edu. */
export function maskContact(contact: string): string {
  const at = contact.lastIndexOf('@')
  if (at > 0) return `${contact.slice(0, 1)}•••${contact.slice(at)}`
  return `${contact.slice(0, -8)}••••${contact.slice(-4)}`
}
