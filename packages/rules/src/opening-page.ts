import { dayIn } from './day-in.ts'
import { parseZonedTime } from './parse-zoned-time.ts'

/** What decides whether an opening page is shown, in the specification's terms. */
export type OpeningRules = {
  id: string
  /** terminal codes: 1 PC, 2 super app, 3 mini-program, 4 payment mini-program, 6 H5 */
  terminals: readonly string[]
  /** `limited`; any other value: no limit */
  frequencyType: string
  frequency: number
  /** `permanent`; any other value: the range of days */
  validDateType: string
  customValidDateType: string
  /** a day in the institution's zone; the range is inclusive */
  customValidStartDate: string
  customValidEndDate: string
}

/**
 * The opening pages to show, in the server's order (specification, shell 4): for this terminal, below their display
 * limit, and valid today. A custom page without a readable range is left out.
 * @param context `shown`: one id per time this member saw the page on this device; `zone`: the institution's
 */
export const eligibleOpeningPages = <Item extends OpeningRules>(
  items: readonly Item[],
  context: { shown: readonly string[]; now: Date; zone: string; terminal: string },
): Item[] =>
  items.filter(
    (item) =>
      item.terminals.includes(context.terminal) &&
      !isLimitReached(item, context.shown) &&
      isValidToday(item, context.now, context.zone),
  )

const isLimitReached = (item: OpeningRules, shown: readonly string[]) =>
  item.frequencyType === 'limited' && shown.filter((id) => id === item.id).length >= item.frequency

function isValidToday(item: OpeningRules, now: Date, zone: string) {
  if (item.validDateType === 'permanent') return true
  const first = dayOf(item.customValidStartDate, zone)
  const last = dayOf(item.customValidEndDate, zone)
  if (!first || !last) return false
  const today = dayIn(now.getTime(), zone)
  const isInRange = first <= today && today <= last
  if (item.customValidDateType === 'include') return isInRange
  return item.customValidDateType === 'exclude' && !isInRange
}

/** The day of a timestamp in the given zone, regardless of its time of day and offset. */
function dayOf(text: string, zone: string) {
  const ms = parseZonedTime(text, zone)
  return Number.isNaN(ms) ? undefined : dayIn(ms, zone)
}

/**
 * A picture by its file extension, ignoring the query; everything else is a film (specification, shell 3). An address
 * of the image service ends with the encoded address of the original.
 */
export const contentKind = (url: string): 'image' | 'video' =>
  /\.(gif|png|jpe?g|webp|avif)$/i.test(url.replace(/([?#]|%3f|%23).*$/is, '')) ? 'image' : 'video'
