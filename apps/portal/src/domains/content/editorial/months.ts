const day = 86_400_000

/** The month `by` months after the given one, `YYYY-MM`. */
export function monthAfter(month: string, by: number) {
  const at = new Date(`${month}-01T00:00:00Z`)
  at.setUTCMonth(at.getUTCMonth() + by)
  return at.toISOString().slice(0, 7)
}

/** The days of a month, `YYYY-MM-DD`; the first has its column in a week beginning on Monday, 1 to 7. */
export function daysOfMonth(month: string): { day: string; column: number | undefined }[] {
  const first = Date.parse(`${month}-01T00:00:00Z`)
  const count = Math.round((Date.parse(`${monthAfter(month, 1)}-01T00:00:00Z`) - first) / day)
  return Array.from({ length: count }, (_, at) => ({
    day: new Date(first + at * day).toISOString().slice(0, 10),
    column: at === 0 ? new Date(first).getUTCDay() || 7 : undefined,
  }))
}
