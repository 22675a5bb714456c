import { questionLengths } from '@atrium/contract/discovery/knowledge.operator'
import { DomUtils, parseDocument } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { short } from '#platform/ingest/cells.ts'
import type { Row } from '#platform/ingest/import.ts'
import type { questionFields } from './import-questions.ts'

export type Pair = { question: string; answer: string }
type Nodes = ReturnType<typeof parseDocument>['children']
type Node = Nodes[number]

const markdown = new MarkdownIt({ html: false })

/** Reads questions from Markdown: each heading with the text below it. */
export const readMarkdownFaq = (text: string): Pair[] =>
  ofHeadings(parseDocument(markdown.render(withoutHead(text))).children, () => true)

const withoutHead = (text: string) =>
  text.replace(/^\uFEFF?---\r?\n[\s\S]{0,5000}?\r?\n---\r?\n/, '')

/**
 * Reads questions from a web page, by the first of these found: schema.org FAQPage data, `details` elements, definition
 * lists, headings that are questions.
 */
export function readPageFaq(html: string): Pair[] {
  const { children } = parseDocument(html)
  for (const read of [ofSearchEngines, ofDetails, ofDefinitions]) {
    const found = read(children)
    if (found.length > 0) return found
  }
  return ofHeadings(children, isQuestion)
}

const isQuestion = (text: string) =>
  /[?？]\s*$/.test(text) ||
  /^(q\s*\d*\s*[.:：、]|问\s*[:：]|how |what |where |when |who |why |can )/i.test(text)

// ---- formats ----

function ofSearchEngines(nodes: Nodes): Pair[] {
  const pairs: Pair[] = []
  const scripts = DomUtils.getElementsByTagName('script', nodes, true).filter(
    ({ attribs }) => attribs.type === 'application/ld+json',
  )
  for (const script of scripts) {
    try {
      collect(JSON.parse(DomUtils.textContent(script)), pairs, 0)
    } catch {
      // Another script of the page may contain them.
    }
  }
  return pairs.filter(isWhole)
}

type Linked = {
  '@type'?: unknown
  name?: unknown
  acceptedAnswer?: { text?: unknown } | { text?: unknown }[]
}
function collect(value: unknown, pairs: Pair[], depth: number) {
  if (depth > 8 || typeof value !== 'object' || value === null) return
  const { '@type': type, name, acceptedAnswer } = value as Linked
  if (type === 'Question') {
    const answer = Array.isArray(acceptedAnswer) ? acceptedAnswer[0] : acceptedAnswer
    pairs.push({
      question: tidy(textOf(parseDocument(String(name ?? '')).children)),
      answer: textOf(parseDocument(String(answer?.text ?? '')).children),
    })
  } else for (const part of Object.values(value)) collect(part, pairs, depth + 1)
}

const ofDetails = (nodes: Nodes): Pair[] =>
  DomUtils.getElementsByTagName('details', nodes, true)
    .map(({ children }) => {
      const summary = children.find((node) => nameOf(node) === 'summary')
      return {
        question: summary ? tidy(textOf([summary])) : '',
        answer: textOf(children.filter((node) => node !== summary)),
      }
    })
    .filter(isWhole)

function ofDefinitions(nodes: Nodes): Pair[] {
  const pairs: Pair[] = []
  for (const list of DomUtils.getElementsByTagName('dl', nodes, true))
    for (const part of DomUtils.getElementsByTagName(
      (name) => name === 'dt' || name === 'dd',
      [list],
      true,
    )) {
      const last = pairs.at(-1)
      if (part.name === 'dt') pairs.push({ question: tidy(textOf([part])), answer: '' })
      else if (last) last.answer = [last.answer, textOf([part])].filter(Boolean).join('\n')
    }
  return pairs.filter(isWhole)
}

/** Each heading with everything up to the next one. */
function ofHeadings(nodes: Nodes, counts: (text: string) => boolean): Pair[] {
  const pairs: Pair[] = []
  let open: { question: string; parts: Node[] } | undefined
  const close = () => {
    if (open) pairs.push({ question: open.question, answer: textOf(open.parts) })
    open = undefined
  }
  function walk(list: Nodes) {
    for (const node of list) {
      const name = nameOf(node)
      if (/^h[1-6]$/.test(name)) {
        close()
        const question = tidy(textOf([node]))
        if (counts(question)) open = { question, parts: [] }
      } else if (holdsHeading(node)) walk((node as { children?: Nodes }).children ?? [])
      else if (!unread.has(name)) open?.parts.push(node)
    }
  }
  walk(nodes)
  close()
  return pairs.filter(isWhole)
}

const holdsHeading = (node: Node) =>
  'children' in node && DomUtils.existsOne(({ name }) => /^h[1-6]$/.test(name), node.children)

const isWhole = ({ question, answer }: Pair) => question !== '' && answer !== ''

// ---- text ----

const unread = new Set(['script', 'style', 'noscript', 'template', 'nav', 'footer', 'form', 'svg'])
const blocks = new Set(
  'p div section article li ul ol table tr blockquote pre h1 h2 h3 h4 h5 h6 dd dt header'.split(
    ' ',
  ),
)
const nameOf = (node: Node) => ('name' in node ? node.name.toLowerCase() : '')
const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The text of nodes, one line per block; a link's address follows its text. */
function textOf(nodes: Nodes): string {
  let text = ''
  function add(list: Nodes) {
    for (const node of list) {
      const name = nameOf(node)
      if (unread.has(name)) continue
      if (node.type === 'text') text += node.data.replaceAll(/\s+/g, ' ')
      if (name === 'br') text += '\n'
      if (!('children' in node)) continue
      const isBlock = blocks.has(name)
      if (isBlock) text += '\n'
      if (name === 'li') text += '• '
      add(node.children)
      const address = name === 'a' && 'attribs' in node ? node.attribs.href : undefined
      if (address && /^https?:/i.test(address) && !text.endsWith(address)) text += ` (${address}) `
      if (isBlock) text += '\n'
    }
  }
  add(nodes)
  return text
    .split('\n')
    .map(tidy)
    .filter((line) => line !== '' && line !== '•')
    .join('\n')
}

// ---- rows ----

/** Converts pairs to import rows; too long or duplicate ones are reported as issues. */
export function pairRows(
  pairs: readonly Pair[],
  from: string,
  issue: (row: number, sentence: string) => void,
): Row<typeof questionFields>[] {
  const seen = new Set<string>()
  const url = /^https?:/i.test(from) ? from : undefined
  return pairs.flatMap(({ question, answer }, at) => {
    const row = at + 1
    const tooLong =
      [...question].length > questionLengths.question || [...answer].length > questionLengths.answer
    if (tooLong) issue(row, `“${short(question)}” or its answer is too long`)
    else if (seen.has(question)) issue(row, `“${short(question)}” stands there twice`)
    else {
      seen.add(question)
      return [{ row, values: { ...noValues, question, answer, url } }]
    }
    return []
  })
}
const noValues = {
  code: undefined,
  questionEn: undefined,
  answerEn: undefined,
  wordings: undefined,
  organization: undefined,
  owner: undefined,
  audience: undefined,
  online: undefined,
  validFrom: undefined,
  validUntil: undefined,
  reviewOn: undefined,
}
