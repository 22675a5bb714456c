/**
 * The sanitised body made ready for its page: headings one level down, for the title stands above them, and tables in a frame
 * of their own that scrolls sideways. Text has its angle brackets escaped, so that a tag is found as itself.
 */
export function articleHtml(html: string, tableLabel: string) {
  return html
    .replace(/<(\/?)h([1-5])\b/g, (_, end: string, level: string) => `<${end}h${Number(level) + 1}`)
    .replace(
      /<table\b/g,
      `<div class="article-table" tabindex="0" role="region" aria-label="${tableLabel}"><table`,
    )
    .replace(/<\/table>/g, '</table></div>')
}
