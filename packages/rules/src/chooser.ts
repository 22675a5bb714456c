import { isEmail, isMobile } from './validators.ts'

/** An entry in a list of recipients; its one key decides its kind. */
export type ChooserEntry =
  | { accountName: string }
  | { group_code: string }
  | { listId: string }
  | { courseId: string }
  | { eventId: string }
  | { ins_code: string }
  | { identityType: string }
  | { externalType: 'email' | 'phone'; contactsNumber: string }

/** The identity of an entry: its kind, and a key unique within that kind. */
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

const kindOrder = [
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
 * The chooser's list in canonical order, without duplicates: groups of every kind (the institution's, lists, courses,
 * events), organisations, identity types, people, phones, emails.
 */
export function rebuildChooserList<E extends ChooserEntry>(entries: readonly E[]): E[] {
  const byKind = new Map(kindOrder.map((kind) => [kind, new Map<string, E>()]))
  for (const entry of entries) {
    const [kind, key] = keyOf(entry)
    const ofKind = byKind.get(kind)
    if (ofKind && !ofKind.has(key)) ofKind.set(key, entry)
  }
  return kindOrder.flatMap((kind) => [...(byKind.get(kind)?.values() ?? [])])
}

/** A key that is equal for equivalent entries. */
export const chooserKey = (entry: ChooserEntry) => keyOf(entry).join(' ')

type ExternalContact = { externalType: 'email' | 'phone'; contactsNumber: string }

/** Parses an email address (lower-cased) or a phone number (without separators); undefined for any other text. */
export function readContact(text: string): ExternalContact | undefined {
  const email = text.trim().toLowerCase()
  if (isEmail(email)) return { externalType: 'email', contactsNumber: email }
  const number = text.replaceAll(/[\s()-]/g, '')
  if (isMobile(number) || /^\+\d{7,15}$/.test(number))
    return { externalType: 'phone', contactsNumber: number }
  return undefined
}
