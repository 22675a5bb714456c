import ICAL from 'ical.js'

/** What an event says of itself here; anything else is the program's that wrote it. */
const own = new Set([
  'uid',
  'dtstamp',
  'last-modified',
  'dtstart',
  'dtend',
  'duration',
  'summary',
  'location',
  'description',
  'url',
  'transp',
  'geo',
  'categories',
  'rrule',
  'exdate',
  'rdate',
  'recurrence-id',
])

/**
 * Gives an event that was changed here what the program had written beside it: alarms, people, its own properties. A changed
 * occurrence that is new has those of its series.
 * @param parts the event and its changed occurrences, as they are now
 * @param body what the program wrote
 */
export function carryOver(parts: ICAL.Component[], body: string) {
  const before = new ICAL.Component(ICAL.parse(body) as never).getAllSubcomponents('vevent')
  const master = before.find((part) => !part.hasProperty('recurrence-id'))
  for (const part of parts) {
    const at = timeOf(part)
    const same = at === '' ? master : before.find((one) => timeOf(one) === at)
    const from = same ?? master
    if (!from) continue
    for (const property of from.getAllProperties())
      if (!own.has(property.name)) addCopy(part, property)
    // The program may know several; here the first of them is the event's.
    if (
      from.hasProperty('categories') &&
      textOf(part, 'categories') === textOf(from, 'categories')
    ) {
      part.removeAllProperties('categories')
      for (const property of from.getAllProperties('categories')) addCopy(part, property)
    }
    for (const inner of from.getAllSubcomponents())
      part.addSubcomponent(new ICAL.Component(structuredClone(inner.toJSON()) as never))
    // Here a long text is cut, and a changed occurrence has no description of its own.
    if (same)
      for (const name of ['summary', 'location', 'description'])
        if (isCutOf(textOf(part, name), textOf(same, name)) || (at && name === 'description')) {
          part.removeAllProperties(name)
          const property = same.getFirstProperty(name)
          if (property) addCopy(part, property)
        }
  }
}

function addCopy(part: ICAL.Component, property: ICAL.Property) {
  part.addProperty(new ICAL.Property(structuredClone(property.toJSON()) as never))
}

const timeOf = (part: ICAL.Component) =>
  part.getFirstProperty('recurrence-id')?.toICALString() ?? ''
const textOf = (part: ICAL.Component, name: string) =>
  String(part.getFirstPropertyValue(name) ?? '').trim()
const isCutOf = (text: string, whole: string) =>
  text.endsWith('…') && whole.length > text.length && whole.startsWith(text.slice(0, -1))
