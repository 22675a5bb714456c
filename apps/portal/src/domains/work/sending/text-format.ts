/** Plain text as HTML: each line becomes a paragraph. */
export function asHtml(text: string): string {
  const page = document.implementation.createHTMLDocument()
  for (const line of text.split('\n')) {
    if (!line.trim()) continue
    const paragraph = page.createElement('p')
    paragraph.textContent = line
    page.body.append(paragraph)
  }
  return page.body.innerHTML
}

/** HTML as plain text, one line per paragraph. */
export function htmlToText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const line of body.querySelectorAll('br')) line.replaceWith('\n')
  const blocks = [...body.querySelectorAll('p, h1, h2, h3, li')].filter(
    (block) => !block.querySelector('p, li'),
  )
  const lines = blocks.map((block) =>
    block.closest('li') ? `- ${block.textContent.trim()}` : block.textContent.trim(),
  )
  return (blocks.length > 0 ? lines.join('\n') : body.textContent).trim()
}
