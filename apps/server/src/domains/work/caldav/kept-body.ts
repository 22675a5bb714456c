import ICAL from 'ical.js'

/** Properties that are generated from the stored event; all others belong to the client that wrote it. */
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
 * Restores in an event changed here what the client had written: alarms, people, its own properties. A newly changed
 * occurrence takes those of its series.
 * @param parts the current event and its changed occurrences
 * @param body what the client wrote
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
    // A client may write several categories; only the first one is stored.
    if (
      from.hasProperty('categories') &&
      textOf(part, 'categories') === textOf(from, 'categories')
    ) {
      part.removeAllProperties('categories')
      for (const property of from.getAllProperties('categories')) addCopy(part, property)
    }
    for (const inner of from.getAllSubcomponents())
      part.addSubcomponent(new ICAL.Component(structuredClone(inner.toJSON()) as never))
    // Restores texts that were truncated here, and the descriptions of changed occurrences, which are not stored.
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
