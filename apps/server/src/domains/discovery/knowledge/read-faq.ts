import { questionLengths } from '@atrium/contract/discovery/knowledge.operator'
import { DomUtils, parseDocument } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { shortenCell } from '#platform/ingest/cells.ts'
import type { Row } from '#platform/ingest/import.ts'
import type { questionFields } from './import-questions.ts'

export type Pair = { question: string; answer: string }
type Nodes = ReturnType<typeof parseDocument>['children']
type Node = Nodes[number]

const markdown = new MarkdownIt({ html: false })

/** Reads questions from Markdown: each heading with the text below it. */
export const readMarkdownFaq = (text: string): Pair[] =>
  pairsFromHeadings(parseDocument(markdown.render(withoutFrontMatter(text))).children, () => true)

const withoutFrontMatter = (text: string) =>
  text.replace(/^\uFEFF?---\r?\n[\s\S]{0,5000}?\r?\n---\r?\n/, '')

/**
 * Reads questions from a web page, by the first of these found: schema.org FAQPage data, `details` elements, definition
 * lists, headings that are questions.
 */
export function readPageFaq(html: string): Pair[] {
  const { children } = parseDocument(html)
  for (const read of [pairsFromStructuredData, pairsFromDetails, pairsFromDefinitions]) {
    const pairs = read(children)
    if (pairs.length > 0) return pairs
  }
  return pairsFromHeadings(children, isQuestion)
}

const isQuestion = (text: string) =>
  /[?？]\s*$/.test(text) ||
  /^(q\s*\d*\s*[.:：、]|问\s*[:：]|how |what |where |when |who |why |can )/i.test(text)

// ---- formats ----

function pairsFromStructuredData(nodes: Nodes): Pair[] {
  const pairs: Pair[] = []
  const scripts = DomUtils.getElementsByTagName('script', nodes, true).filter(
    ({ attribs }) => attribs.type === 'application/ld+json',
  )
  for (const script of scripts) {
    try {
      collectPairs(JSON.parse(DomUtils.textContent(script)), pairs, 0)
    } catch {
      // Another script of the page may contain them.
    }
  }
  return pairs.filter(isComplete)
}

type StructuredNode = {
  '@type'?: unknown
  name?: unknown
  acceptedAnswer?: { text?: unknown } | { text?: unknown }[]
}
function collectPairs(value: unknown, pairs: Pair[], depth: number) {
  if (depth > 8 || typeof value !== 'object' || value === null) return
  const { '@type': type, name, acceptedAnswer } = value as StructuredNode
  if (type === 'Question') {
    const answer = Array.isArray(acceptedAnswer) ? acceptedAnswer[0] : acceptedAnswer
    pairs.push({
      question: collapseSpaces(textOf(parseDocument(String(name ?? '')).children)),
      answer: textOf(parseDocument(String(answer?.text ?? '')).children),
    })
  } else for (const part of Object.values(value)) collectPairs(part, pairs, depth + 1)
}

const pairsFromDetails = (nodes: Nodes): Pair[] =>
  DomUtils.getElementsByTagName('details', nodes, true)
    .map(({ children }) => {
      const summary = children.find((node) => tagNameOf(node) === 'summary')
      return {
        question: summary ? collapseSpaces(textOf([summary])) : '',
        answer: textOf(children.filter((node) => node !== summary)),
      }
    })
    .filter(isComplete)

function pairsFromDefinitions(nodes: Nodes): Pair[] {
  const pairs: Pair[] = []
  for (const list of DomUtils.getElementsByTagName('dl', nodes, true))
    for (const part of DomUtils.getElementsByTagName(
      (name) => name === 'dt' || name === 'dd',
      [list],
      true,
    )) {
      const last = pairs.at(-1)
      if (part.name === 'dt') pairs.push({ question: collapseSpaces(textOf([part])), answer: '' })
      else if (last) last.answer = [last.answer, textOf([part])].filter(Boolean).join('\n')
    }
  return pairs.filter(isComplete)
}

/** Each heading with everything up to the next one. */
function pairsFromHeadings(nodes: Nodes, isQuestionHeading: (text: string) => boolean): Pair[] {
  const pairs: Pair[] = []
  let current: { question: string; parts: Node[] } | undefined
  const close = () => {
    if (current) pairs.push({ question: current.question, answer: textOf(current.parts) })
    current = undefined
  }
  function walk(list: Nodes) {
    for (const node of list) {
      const name = tagNameOf(node)
      if (/^h[1-6]$/.test(name)) {
        close()
        const question = collapseSpaces(textOf([node]))
        if (isQuestionHeading(question)) current = { question, parts: [] }
      } else if (containsHeading(node)) walk((node as { children?: Nodes }).children ?? [])
      else if (!ignoredTags.has(name)) current?.parts.push(node)
    }
  }
  walk(nodes)
  close()
  return pairs.filter(isComplete)
}

const containsHeading = (node: Node) =>
  'children' in node && DomUtils.existsOne(({ name }) => /^h[1-6]$/.test(name), node.children)

const isComplete = ({ question, answer }: Pair) => question !== '' && answer !== ''

// ---- text ----

const ignoredTags = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'nav',
  'footer',
  'form',
  'svg',
])
const blockTags = new Set(
  'p div section article li ul ol table tr blockquote pre h1 h2 h3 h4 h5 h6 dd dt header'.split(
    ' ',
  ),
)
const tagNameOf = (node: Node) => ('name' in node ? node.name.toLowerCase() : '')
const collapseSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** The text of nodes, one line per block; a link's address follows its text. */
function textOf(nodes: Nodes): string {
  let text = ''
  function add(list: Nodes) {
    for (const node of list) {
      const name = tagNameOf(node)
      if (ignoredTags.has(name)) continue
      if (node.type === 'text') text += node.data.replaceAll(/\s+/g, ' ')
      if (name === 'br') text += '\n'
      if (!('children' in node)) continue
      const isBlock = blockTags.has(name)
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
    .map(collapseSpaces)
    .filter((line) => line !== '' && line !== '•')
    .join('\n')
}

// ---- rows ----

/** Converts pairs to import rows; too long or duplicate ones are reported as issues. */
export function pairRows(
  pairs: readonly Pair[],
  source: string,
  issue: (row: number, sentence: string) => void,
): Row<typeof questionFields>[] {
  const seen = new Set<string>()
  const url = /^https?:/i.test(source) ? source : undefined
  return pairs.flatMap(({ question, answer }, index) => {
    const row = index + 1
    const tooLong =
      [...question].length > questionLengths.question || [...answer].length > questionLengths.answer
    if (tooLong) issue(row, `“${shortenCell(question)}” or its answer is too long`)
    else if (seen.has(question)) issue(row, `“${shortenCell(question)}” occurs twice`)
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
