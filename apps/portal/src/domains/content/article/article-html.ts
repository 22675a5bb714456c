/**
 * The sanitised body made ready for its page: headings one level down, for the title stands above them. Text has its angle
 * brackets escaped, so that a tag is found as itself.
 */
export const articleHtml = (html: string) =>
  html.replace(
    /<(\/?)h([1-5])\b/g,
    (_, end: string, level: string) => `<${end}h${Number(level) + 1}`,
  )
