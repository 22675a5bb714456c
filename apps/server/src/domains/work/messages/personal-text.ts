import { substituteVariables, type Values } from '@atrium/rules/messages/variables'
import { cleanRichText } from '#platform/text/rich-text.ts'

const columns = {
  title: {},
  title_en: { english: true },
  summary: {},
  summary_en: { english: true },
  content: { html: true },
  content_en: { html: true, english: true },
} as const
type Row = { variables: unknown } & { [column in keyof typeof columns]?: string }

/**
 * Fills in the variables of a message for its reader. HTML is sanitised again, because a value may be part of a link
 * address.
 */
export function fillPersonalText<T extends Row>(row: T): T {
  if (row.variables === null) return row
  const values = row.variables as Values
  const texts = Object.entries(columns).flatMap(([column, options]) => {
    const text = row[column as keyof typeof columns]
    if (text === undefined) return []
    const filled = substituteVariables(text, values, options)
    return [[column, 'html' in options ? cleanRichText(filled) : filled]]
  })
  return { ...row, ...Object.fromEntries(texts) }
}
