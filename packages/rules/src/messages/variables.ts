/** `{{name}}` in the text of a message. Letters of any script: a sender may call it {{地点}}. */
const variable = /\{\{\s*([\p{L}\p{N}_.-]{1,60})\s*\}\}/gu

export const memberVariables = ['name', 'number', 'department'] as const
/** What is known of every member, so that nobody has to give it. */
export type MemberVariable = (typeof memberVariables)[number]

/** What Chinese senders call them. */
const chinese: Record<string, MemberVariable> = {
  姓名: 'name',
  学工号: 'number',
  部门: 'department',
}
export const isMemberVariable = (name: string): name is MemberVariable =>
  (memberVariables as readonly string[]).includes(name)

/** The text with the names that the code knows: `{{姓名}}` is `{{name}}`. */
export const withKnownNames = (text: string) =>
  text.replaceAll(variable, (whole, name: string) =>
    Object.hasOwn(chinese, name) ? `{{${chinese[name]}}}` : whole,
  )

/** The variables of these texts, each once, in the order they appear. */
export const variablesIn = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(variable)].map(([, name = '']) => name))),
]

/** The variables that these texts use: those known of every member, and those that their author has to give. */
export function variablesUsed(texts: readonly string[]) {
  const names = variablesIn(texts.map(withKnownNames))
  return {
    ofMembers: names.filter(isMemberVariable),
    ofAuthor: names.filter((name) => !isMemberVariable(name)),
  }
}

export type Values = Readonly<Record<string, string>>
type FillOptions = { html?: boolean; english?: boolean }

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Fills in the variables that have a value; the others stay. What stands for one is text: in HTML it is escaped. An English
 * text takes `name.en` before `name`.
 */
export const fillIn = (text: string, values: Values, { html, english }: FillOptions = {}): string =>
  text.replaceAll(variable, (whole, name: string) => {
    const key = english && Object.hasOwn(values, `${name}.en`) ? `${name}.en` : name
    const value = Object.hasOwn(values, key) ? values[key] : undefined
    return value === undefined ? whole : html ? escaped(value) : value
  })
