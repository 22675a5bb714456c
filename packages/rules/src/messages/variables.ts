/** `{{name}}` in the text of a message. Letters of any script are allowed: {{地点}}. */
const variable = /\{\{\s*([\p{L}\p{N}_.-]{1,60})\s*\}\}/gu

export const memberVariables = ['name', 'number', 'department'] as const
/** Variables known for every member, so that no caller has to provide them. */
export type MemberVariable = (typeof memberVariables)[number]

/** Chinese aliases. */
const chineseAliases: Record<string, MemberVariable> = {
  姓名: 'name',
  学工号: 'number',
  部门: 'department',
}
export const isMemberVariable = (name: string): name is MemberVariable =>
  (memberVariables as readonly string[]).includes(name)

/** Replaces aliases by canonical names: `{{姓名}}` becomes `{{name}}`. */
export const withKnownNames = (text: string) =>
  text.replaceAll(variable, (match, name: string) =>
    Object.hasOwn(chineseAliases, name) ? `{{${chineseAliases[name]}}}` : match,
  )

/** The distinct variables of these texts, in order of appearance. */
export const variablesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(variable)].map(([, name = '']) => name))),
]

/** Splits the variables of these texts into those known for every member and those the author must provide. */
export function variablesUsed(texts: readonly string[]) {
  const names = variablesIn(texts.map(withKnownNames))
  return {
    ofMembers: names.filter(isMemberVariable),
    ofAuthor: names.filter((name) => !isMemberVariable(name)),
  }
}

export type Values = Readonly<Record<string, string>>
type SubstituteOptions = { html?: boolean; english?: boolean }

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Substitutes variables that have a value; the others are left unchanged. In HTML, values are escaped. An English text
 * prefers `name.en` to `name`.
 */
export const substituteVariables = (
  text: string,
  values: Values,
  { html, english }: SubstituteOptions = {},
): string =>
  text.replaceAll(variable, (match, name: string) => {
    const key = english && Object.hasOwn(values, `${name}.en`) ? `${name}.en` : name
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    return value === undefined ? match : html ? escaped(value) : value
  })
