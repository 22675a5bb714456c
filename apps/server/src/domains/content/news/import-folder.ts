import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import MarkdownIt from 'markdown-it'
import { StartError } from '#platform/environment.ts'
import { cleanRichText, plainText } from '#platform/text/rich-text.ts'
import { shorten } from '#platform/text/shorten.ts'
import { decodeXml } from './feed-text.ts'
import { type Feed, readDate } from './import-feed.ts'

const maxFiles = 10_000
const maxFileBytes = 2_000_000

const markdown = new MarkdownIt({ html: false, breaks: true })

/**
 * Reads the Markdown and HTML files of a folder and its subfolders as articles, identified by path. A file may start
 * with metadata between two `---` lines: title, date, author, summary. Symbolic links are not followed.
 * @throws StartError
 */
export async function readFolder(
  folder: string,
  settings: { column: string; timeZone: string },
): Promise<Feed> {
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(md|markdown|html?)$/i.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  if (names.length === 0) throw new StartError(`${folder} contains no Markdown or HTML files.`)
  if (names.length > maxFiles)
    throw new StartError(`${folder} contains more than ${maxFiles} files. Import it in parts.`)
  const items: Feed['items'] = []
  for (const [index, file] of names.entries()) {
    const row = index + 1
    const key = path.relative(folder, file).split(path.sep).join('/')
    const issue = (sentence: string) =>
      items.push({ row, item: undefined, issue: `${key} ${sentence}` })
    if ((await stat(file)).size > maxFileBytes) {
      issue(`is larger than ${maxFileBytes / 1e6} MB`)
      continue
    }
    let text: string
    try {
      const bytes = await readFile(file)
      text = decodeXml(bytes, charsetIn(bytes), key)
    } catch {
      issue('is not a text in UTF-8 or GB18030')
      continue
    }
    const { frontMatter, content } = splitFrontMatter(text)
    const html = /\.html?$/i.test(file)
      ? (/<body[^>]*>([\s\S]*?)(<\/body>|$)/i.exec(content)?.[1] ?? content)
      : markdown.render(content)
    const title =
      frontMatter.title ||
      plainText(
        /<h1[^>]*>([\s\S]*?)<\/h1>/i.exec(html)?.[1] ??
          /<title[^>]*>([\s\S]*?)<\/title>/i.exec(content)?.[1] ??
          '',
      ) ||
      path.basename(file).replace(/\.[^.]*$/, '')
    // Remove the heading that is used as the title, or it would appear twice.
    const body = cleanRichText(
      frontMatter.title ? html : html.replace(/<h1[^>]*>[\s\S]*?<\/h1>/i, ''),
    )
    items.push({
      row,
      issue: undefined,
      item: {
        key,
        title: shortened(title, 300),
        body: body.replaceAll('\0', ''),
        summary: shortened(frontMatter.summary || plainText(body), 200),
        author: shortened(frontMatter.author ?? '', 100),
        url: '',
        publishedAt: readDate(frontMatter.date, settings.timeZone),
      },
    })
  }
  return { source: `folder:${settings.column}`, items }
}

const charsetIn = (bytes: Buffer) =>
  /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(bytes.subarray(0, 2000).toString('latin1'))?.[1]

const shortened = (text: string, maxLength: number) => shorten(text.replaceAll('\0', ''), maxLength)

type FrontMatter = Partial<Record<'title' | 'date' | 'author' | 'summary', string>>

function splitFrontMatter(text: string): { frontMatter: FrontMatter; content: string } {
  const match = /^\uFEFF?---\r?\n([\s\S]{0,5000}?)\r?\n---\r?\n/.exec(text)
  const frontMatter: FrontMatter = {}
  if (!match) return { frontMatter, content: text }
  for (const line of (match[1] ?? '').split('\n')) {
    const [, name = '', value = ''] = /^(\w+)\s*[:：]\s*(.*)$/.exec(line.trim()) ?? []
    const field = name.toLowerCase()
    if (field === 'title' || field === 'date' || field === 'author' || field === 'summary')
      frontMatter[field] = value.replace(/^(["'])(.*)\1$/, '$2').trim()
  }
  return { frontMatter, content: text.slice(match[0].length) }
}
