/**
 * Moves the headings of a sanitised body one level down, since the page's title is above them. Angle brackets in text
 * are escaped, so the pattern matches only tags.
 */
export const articleHtml = (html: string) =>
  html.replace(
    /<(\/?)h([1-5])\b/g,
    (_, end: string, level: string) => `<${end}h${Number(level) + 1}`,
  )
