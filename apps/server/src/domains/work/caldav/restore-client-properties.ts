import ICAL from 'ical.js'

/** Properties that are generated from the stored event; all others belong to the client that wrote it. */
const generatedProperties = new Set([
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
export function restoreClientProperties(parts: ICAL.Component[], body: string) {
  const clientParts = new ICAL.Component(ICAL.parse(body) as never).getAllSubcomponents('vevent')
  const master = clientParts.find((part) => !part.hasProperty('recurrence-id'))
  for (const part of parts) {
    const recurrenceId = timeOf(part)
    const counterpart =
      recurrenceId === '' ? master : clientParts.find((one) => timeOf(one) === recurrenceId)
    const source = counterpart ?? master
    if (!source) continue
    for (const property of source.getAllProperties())
      if (!generatedProperties.has(property.name)) addCopy(part, property)
    // A client may write several categories; only the first one is stored.
    if (
      source.hasProperty('categories') &&
      textOf(part, 'categories') === textOf(source, 'categories')
    ) {
      part.removeAllProperties('categories')
      for (const property of source.getAllProperties('categories')) addCopy(part, property)
    }
    for (const component of source.getAllSubcomponents())
      part.addSubcomponent(new ICAL.Component(structuredClone(component.toJSON()) as never))
    // Restores texts that were truncated here, and the descriptions of changed occurrences, which are not stored.
    if (counterpart)
      for (const name of ['summary', 'location', 'description'])
        if (
          isTruncationOf(textOf(part, name), textOf(counterpart, name)) ||
          (recurrenceId && name === 'description')
        ) {
          part.removeAllProperties(name)
          const property = counterpart.getFirstProperty(name)
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
const isTruncationOf = (text: string, whole: string) =>
  text.endsWith('…') && whole.length > text.length && whole.startsWith(text.slice(0, -1))
