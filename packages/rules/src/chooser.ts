import { isEmail, isMobile } from './validators.ts'

/** What can stand in a list of recipients: exactly one of the keys says what an entry is. */
export type ChooserEntry =
  | { accountName: string }
  | { group_code: string }
  | { listId: string }
  | { courseId: string }
  | { eventId: string }
  | { ins_code: string }
  | { identityType: string }
  | { externalType: 'email' | 'phone'; contactsNumber: string }

/** What makes two entries the same, within its kind. */
function keyOf(entry: ChooserEntry): [kind: string, key: string] {
  if ('group_code' in entry) return ['group', entry.group_code]
  if ('listId' in entry) return ['list', entry.listId]
  if ('courseId' in entry) return ['course', entry.courseId]
  if ('eventId' in entry) return ['event', entry.eventId]
  if ('ins_code' in entry) return ['organization', entry.ins_code]
  if ('identityType' in entry) return ['identity', entry.identityType]
  if ('accountName' in entry) return ['person', entry.accountName]
  return [entry.externalType, entry.contactsNumber]
}

const order = [
  'group',
  'list',
  'course',
  'event',
  'organization',
  'identity',
  'person',
  'phone',
  'email',
]

/**
 * The list of the chooser as it is kept: groups of every kind (of the institution, lists, courses, events), organisations,
 * identity types, people, phones, emails, each of them once.
 */
export function rebuildChooserList<E extends ChooserEntry>(entries: readonly E[]): E[] {
  const byKind = new Map(order.map((kind) => [kind, new Map<string, E>()]))
  for (const entry of entries) {
    const [kind, key] = keyOf(entry)
    const same = byKind.get(kind)
    if (same && !same.has(key)) same.set(key, entry)
  }
  return order.flatMap((kind) => [...(byKind.get(kind)?.values() ?? [])])
}

/** The same for two entries that mean the same. */
export const chooserKey = (entry: ChooserEntry) => keyOf(entry).join(' ')

type OutsideContact = { externalType: 'email' | 'phone'; contactsNumber: string }

/** The address or number that somebody wrote, without case and without what people put between digits; nothing for any other text. */
export function readContact(text: string): OutsideContact | undefined {
  const email = text.trim().toLowerCase()
  if (isEmail(email)) return { externalType: 'email', contactsNumber: email }
  const number = text.replaceAll(/[\s()-]/g, '')
  if (isMobile(number) || /^\+\d{7,15}$/.test(number))
    return { externalType: 'phone', contactsNumber: number }
  return undefined
}
