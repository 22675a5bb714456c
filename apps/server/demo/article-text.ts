/**
 * Articles are written as plain text for easy editing: an empty line separates paragraphs, `## ` starts a heading, `- `
 * or `1. ` a list, `|` a table with a header row, `> ` a quotation; `**strong**` is inline.
 */
export function articleHtml(text: string): string {
  return text
    .trim()
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.split('\n').map((line) => line.trim())
      const first = lines[0] ?? ''
      if (first.startsWith('## ')) return `<h2>${inline(first.slice(3))}</h2>`
      if (first.startsWith('- '))
        return wrap('ul', lines.map((line) => wrap('li', inline(line.slice(2)))).join(''))
      if (/^\d+\. /.test(first))
        return wrap(
          'ol',
          lines.map((line) => wrap('li', inline(line.replace(/^\d+\. /, '')))).join(''),
        )
      if (first.startsWith('> '))
        return wrap('blockquote', wrap('p', inline(lines.map((line) => line.slice(2)).join(''))))
      if (first.startsWith('|')) return table(lines)
      return wrap('p', lines.map(inline).join('<br>'))
    })
    .join('\n')
}

function table([head = '', ...rows]: string[]) {
  const cells = (line: string, tag: string) =>
    wrap(
      'tr',
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => wrap(tag, inline(cell.trim())))
        .join(''),
    )
  const body = rows.map((row) => cells(row, 'td')).join('')
  return wrap('table', wrap('thead', cells(head, 'th')) + wrap('tbody', body))
}

const wrap = (tag: string, content: string) => `<${tag}>${content}</${tag}>`
const inline = (text: string) =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
