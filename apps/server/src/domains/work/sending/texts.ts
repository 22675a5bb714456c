import {
  isMemberVariable,
  type MemberVariable,
  substituteVariables,
  type Values,
  variablesUsed,
  withKnownNames,
} from '@atrium/rules/messages/variables'
import { type RawBuilder, sql } from 'kysely'
import { escapeHtml } from '#platform/text/escape-html.ts'
import { cleanRichText, plainLines } from '#platform/text/rich-text.ts'

/** A message as its author wrote it. */
export type AuthoredText = {
  format: string
  title: string
  title_en: string
  content: string
  content_en: string
  /** null: no variables */
  variables: unknown
}

/** The text to send; member variables are not filled in yet. */
export type ComposedText = {
  title: string
  title_en: string
  content: string
  content_en: string
  /** variables that are filled in per reader */
  open: MemberVariable[]
  /** fallback values for members without their own */
  fallbacks: Values
}

/** The variables used by a text: those of members and those of its author. */
export function findVariables({
  title,
  title_en,
  content,
  content_en,
}: Omit<AuthoredText, 'format' | 'variables'>) {
  return variablesUsed([title, title_en, content, content_en])
}

/** The text as HTML with the author's variables filled in. */
export function compose(written: AuthoredText): ComposedText {
  const { format, title, title_en, content, content_en } = written
  const html = format === 'html'
  const toHtml = (text: string) => (html ? cleanRichText(text) : plainToHtml(text))
  if (written.variables === null)
    return {
      title,
      title_en,
      content: toHtml(content),
      content_en: toHtml(content_en),
      open: [],
      fallbacks: {},
    }
  const entries = Object.entries(written.variables as Values)
  const values = Object.fromEntries(entries.filter(([name]) => !isMemberVariable(name)))
  const fillVariables = (text: string, options: Parameters<typeof substituteVariables>[2]) =>
    substituteVariables(withKnownNames(text), values, options)
  return {
    title: fillVariables(title, {}),
    title_en: fillVariables(title_en, { english: true }),
    content: toHtml(fillVariables(content, { html })),
    content_en: toHtml(fillVariables(content_en, { html, english: true })),
    open: findVariables(written).ofMembers,
    fallbacks: Object.fromEntries(
      entries.filter(([, value]) => value !== '').filter(([name]) => isMemberVariable(name)),
    ),
  }
}

/** Converts plain text: each line becomes a paragraph. */
const plainToHtml = (text: string) =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('')

/** The summary shown in message lists. */
export const firstLine = (html: string) => plainLines(html).split('\n', 1)[0]?.slice(0, 200) ?? ''

/** SQL expressions in Chinese and English, on `account` joined with `person` and `organization`. */
const columns: Record<MemberVariable, [RawBuilder<string>, RawBuilder<string>?]> = {
  name: [sql`person.name`, sql`person.name_en`],
  number: [sql`coalesce(person.external_key, '')`],
  department: [sql`organization.name`, sql`organization.name_en`],
}

/** SQL array of the variables a member has no value for. */
export const missingVariables = (needed: readonly MemberVariable[]) =>
  sql<string[]>`array_remove(array[${sql.join(
    needed.map((name) => sql`case when ${columns[name][0]} = '' then ${name} end`),
  )}]::text[], null)`

/** SQL jsonb object of a member's values for the open variables, or their fallbacks. */
export const valuesOf = ({ open, fallbacks }: Pick<ComposedText, 'open' | 'fallbacks'>) =>
  sql<Values>`jsonb_strip_nulls(jsonb_build_object(${sql.join(
    open.flatMap((name) => {
      const [own, english] = columns[name]
      return [
        sql`${name}::text, coalesce(nullif(${own}, ''), ${fallbacks[name] ?? ''}::text)`,
        ...(english ? [sql`${`${name}.en`}::text, nullif(${english}, '')`] : []),
      ]
    }),
  )}))`
