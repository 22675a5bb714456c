import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { DavError } from './dav-error.ts'

export const dav = 'DAV:'
export const cal = 'urn:ietf:params:xml:ns:caldav'
export const server = 'http://calendarserver.org/ns/'
export const apple = 'http://apple.com/ns/ical/'

/** Text that is already XML. */
export type Markup = string & { readonly markup: unique symbol }
export type XmlNode = {
  namespace: string
  name: string
  attributes: Record<string, string>
  text: string
  children: XmlNode[]
}

// ---- reading ----

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  maxNestedTags: 30,
})
type RawNode = { ':@'?: Record<string, string>; '#text'?: string } & Record<string, RawNode[]>

/**
 * Parses a document to its root element. @throws DavError if it is malformed or has a DOCTYPE, which may define
 * entities
 */
export function readXml(text: string): XmlNode {
  const refuse = () => new DavError(400, 'The body is not valid XML, or has a document type.')
  if (/<!(?!\[CDATA\[|--)/.test(text) || XMLValidator.validate(text) !== true) throw refuse()
  let list: RawNode[]
  try {
    list = parser.parse(text) as RawNode[]
  } catch {
    throw refuse()
  }
  const root = list.find((raw) => !('?xml' in raw) && !('#text' in raw))
  if (!root) throw refuse()
  return readNode(root, { xml: 'http://www.w3.org/XML/1998/namespace' })
}

function readNode(raw: RawNode, inherited: Record<string, string>): XmlNode {
  const tag = Object.keys(raw).find((key) => key !== ':@') ?? ''
  const pairs = Object.entries(raw[':@'] ?? {})
  const spaces = { ...inherited }
  for (const [key, value] of pairs)
    if (key === 'xmlns') spaces[''] = decodeEntities(value)
    else if (key.startsWith('xmlns:')) spaces[key.slice(6)] = decodeEntities(value)
  const [prefix, name] = tag.includes(':') ? (tag.split(':', 2) as [string, string]) : ['', tag]
  const inside = raw[tag] ?? []
  return {
    namespace: spaces[prefix] ?? '',
    name,
    attributes: Object.fromEntries(pairs.map(([key, value]) => [key, decodeEntities(value)])),
    text: decodeEntities(inside.map((one) => one['#text'] ?? '').join('')),
    children: inside
      .filter((one) => !('#text' in one) && !Object.keys(one).some((key) => key.startsWith('?')))
      .map((one) => readNode(one, spaces)),
  }
}

const predefinedEntities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** Decodes the predefined entities and numeric character references. */
const decodeEntities = (text: unknown) =>
  String(text).replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi,
    (whole, decimal, hex, name) => {
      if (name) return predefinedEntities[String(name).toLowerCase()] ?? whole
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
    },
  )

export const isNode = (node: XmlNode, namespace: string, name: string) =>
  node.namespace === namespace && node.name === name
export const childOf = (node: XmlNode | undefined, namespace: string, name: string) =>
  node?.children.find((child) => isNode(child, namespace, name))

// ---- writing ----

const prefixes: Record<string, string> = { [dav]: 'd', [cal]: 'c', [server]: 's', [apple]: 'a' }
const declared = Object.entries(prefixes)
  .map(([namespace, prefix]) => ` xmlns:${prefix}="${namespace}"`)
  .join('')

// biome-ignore lint/suspicious/noControlCharactersInRegex: no XML may hold them
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g
export const escapeXml = (text: string) =>
  text
    .replaceAll(controls, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // An XML parser would drop a raw carriage return.
    .replaceAll('\r', '&#13;') as Markup

/** An element; its contents must already be markup. */
export function element(
  namespace: string,
  name: string,
  inside: readonly Markup[] | Markup = [],
  attributes: Record<string, string> = {},
): Markup {
  const content = typeof inside === 'string' ? inside : inside.join('')
  const prefix = prefixes[namespace]
  const tag = prefix ? `${prefix}:${name}` : namespace ? `x:${name}` : name
  const spaces = prefix || !namespace ? '' : ` xmlns:x="${escapeXml(namespace)}"`
  const attributeText = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
    .join('')
  return (
    content
      ? `<${tag}${spaces}${attributeText}>${content}</${tag}>`
      : `<${tag}${spaces}${attributeText}/>`
  ) as Markup
}

/** A complete document; prefixes are declared on its root element. */
export const xmlDocument = (namespace: string, name: string, inside: readonly Markup[]) =>
  `<?xml version="1.0" encoding="utf-8"?>\n${element(namespace, name, inside).replace(/^<[a-z]+:[\w-]+/, (tag) => `${tag}${declared}`)}`

export const href = (path: string) => element(dav, 'href', escapeXml(path))
