/** Texts whose variables are still open. */
export type Texts = Partial<
  Record<'title' | 'titleEn' | 'summary' | 'summaryEn' | 'content' | 'contentEn', string>
>

const variable = /\{\{\s*([\w.-]{1,60})\s*\}\}/g
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Fills `{{name}}` in. What stands for a variable is text: in HTML it is escaped.
 * @returns the texts, and the fields that name a variable the caller has not given
 */
export function fillIn(
  texts: Texts,
  variables: Readonly<Record<string, string>>,
): { filled: Texts; missing: string[] } {
  const missing = new Set<string>()
  const filled = Object.fromEntries(
    Object.entries(texts).map(([field, text]) => [
      field,
      text.replaceAll(variable, (whole, name: string) => {
        const value = Object.hasOwn(variables, name) ? variables[name] : undefined
        if (value === undefined) {
          missing.add(field)
          return whole
        }
        return field.startsWith('content') ? escaped(value) : value
      }),
    ]),
  )
  return { filled, missing: [...missing] }
}
