import type {
  FormColumn,
  FormData,
  FormProperty,
  FormSchema,
} from '@atrium/contract/work/applications'
import type { ApplicationFormFields, Condition } from '@atrium/contract/work/applications.operator'
import { type FieldKind, fieldKindOf } from '@atrium/rules/form-kinds'
import Schema from 'typebox/schema'
import type { StoredEntry } from '#domains/work/tasks/queries.ts'
import { type IssueKind, invalidFields } from '#platform/http/errors.ts'

/** Defaults for limits the form does not set. */
const [maxText, maxFiles, maxRows] = [2000, 9, 50]

/** A form as JSON Schema for validation: limits everywhere, no additional properties. */
const strict = ({ properties, required }: Pick<FormSchema, 'properties' | 'required'>) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      strictProperty(property, required.includes(name)),
    ]),
  ),
})

function strictProperty(property: FormProperty, required: boolean): object {
  const { type, minLength = 0, maxLength = maxText, oneOf, items } = property
  const { minItems = required ? 1 : 0, minimum, maximum } = property
  switch (fieldKindOf(property)) {
    case 'text':
    case 'textarea':
      return { type, minLength, maxLength, ...(required && { pattern: '\\S' }) }
    case 'person':
      return { type, minLength: 1, maxLength: 128 }
    case 'date':
      return { type, format: 'date' }
    case 'choice':
      return { type, enum: (oneOf ?? []).map((choice) => choice.const) }
    case 'number':
      return {
        type,
        ...(minimum !== undefined && { minimum }),
        ...(maximum !== undefined && { maximum }),
      }
    case 'files':
      return {
        type,
        minItems,
        maxItems: Math.min(property.maxItems ?? maxFiles, maxFiles),
        items: { type: 'string', pattern: '^[0-9]{1,18}$' },
      }
    case 'table':
      return {
        type,
        minItems,
        maxItems: property.maxItems ?? maxRows,
        items: strict({ properties: items?.properties ?? {}, required: items?.required ?? [] }),
      }
  }
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** Keeps only the data the form asks for; drops empty fields and fields of other versions. */
export function cleanData({ properties }: FormSchema, data: FormData): FormData {
  const clean = (row: object, columns: object): FormData =>
    Object.fromEntries(
      Object.entries(row).filter(
        ([name, value]) => Object.hasOwn(columns, name) && !isEmpty(value),
      ),
    )
  return Object.fromEntries(
    Object.entries(clean(data, properties)).map(([name, value]) => {
      const columns = properties[name]?.items?.properties
      if (!columns || !Array.isArray(value)) return [name, value]
      const rows = value.filter((row) => typeof row === 'object' && row !== null)
      return [name, rows.map((row) => clean(row, columns))]
    }),
  )
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null

/**
 * Checks only the shape of cleaned data: a draft may be incomplete and out of range, but it must be displayable.
 * @returns issues by field, such as `data.items.0.amount`
 */
export function shapeIssues({ properties }: FormSchema, data: FormData): Record<string, IssueKind> {
  const fields = Object.entries(data).flatMap(([name, value]): string[] => {
    const property = properties[name]
    const kind = property && fieldKindOf(property)
    // Drafts drop unusable files, whatever the value is.
    if (kind === 'files') return []
    if (kind !== 'table') return isObject(value) ? [name] : []
    if (!Array.isArray(value)) return [name]
    return value.flatMap((row: object, index) =>
      Object.entries(row).flatMap(([column, cell]) =>
        isObject(cell) ? [`${name}.${index}.${column}`] : [],
      ),
    )
  })
  return Object.fromEntries(fields.map((field) => [`data.${field}`, 'type' as const]))
}

type Issue = { keyword: string; instancePath: string; params: Record<string, unknown> }

/** @returns issues by field, such as `data.items.0.amount`; empty if the data can be submitted */
export function formIssues(schema: FormSchema, data: FormData): Record<string, IssueKind> {
  const [, errors] = Schema.Compile(strict(schema)).Errors(data)
  const issues = errors.flatMap(({ keyword, instancePath, params }): Issue[] =>
    keyword === 'required'
      ? (params as { requiredProperties: string[] }).requiredProperties.map((missingProperty) => ({
          keyword,
          instancePath,
          params: { missingProperty },
        }))
      : [{ keyword, instancePath, params: params as Record<string, unknown> }],
  )
  return Object.fromEntries(
    Object.entries(invalidFields(issues)).map(([field, kind]) => [
      field === 'body' ? 'data' : `data.${field}`,
      kind,
    ]),
  )
}

/** The names of fields of one kind. */
const fieldsOfKind = ({ properties }: FormSchema, kind: FieldKind) =>
  Object.entries(properties).flatMap(([name, property]) =>
    fieldKindOf(property) === kind ? [name] : [],
  )

/** The ids of files in the data. */
export const filesIn = (schema: FormSchema, data: FormData): string[] =>
  fieldsOfKind(schema, 'files').flatMap((name) => {
    const ids = data[name]
    return Array.isArray(ids) ? ids.filter((id) => /^\d{1,18}$/.test(String(id))).map(String) : []
  })

/** The usernames in the data. */
export const peopleIn = (schema: FormSchema, data: FormData): string[] =>
  fieldsOfKind(schema, 'person').flatMap((name) =>
    typeof data[name] === 'string' ? data[name].toLowerCase() : [],
  )

const choiceOf = ({ oneOf }: FormProperty | FormColumn, value: unknown) =>
  oneOf?.find((choice) => choice.const === value)

/** The data as displayable entries, in the order of the form. */
export function toEntries(
  { properties }: FormSchema,
  data: FormData,
  names: { people: ReadonlyMap<string, string>; files: ReadonlyMap<string, string> },
): StoredEntry[] {
  return Object.entries(properties).flatMap(([name, property]): StoredEntry[] => {
    const value = data[name]
    if (isEmpty(value)) return []
    const label = { label: property.title, labelEn: property.titleEn }
    switch (fieldKindOf(property)) {
      case 'choice': {
        const choice = choiceOf(property, value)
        return [{ ...label, value: choice?.title ?? '', valueEn: choice?.titleEn ?? '' }]
      }
      case 'person':
        return [{ ...label, value: names.people.get(String(value).toLowerCase()) ?? String(value) }]
      case 'files':
        return [
          {
            ...label,
            value: '',
            files: (value as string[]).map((fileId) => ({
              fileId,
              name: names.files.get(fileId) ?? fileId,
            })),
          },
        ]
      case 'table': {
        const columns = Object.entries(property.items?.properties ?? {})
        return [
          {
            ...label,
            value: '',
            table: {
              columns: columns.map(([, { title, titleEn }]) => ({ title, titleEn })),
              rows: (value as Record<string, unknown>[]).map((row) =>
                columns.map(([column, one]) =>
                  String(choiceOf(one, row[column])?.title ?? row[column] ?? ''),
                ),
              ),
            },
          },
        ]
      }
      default:
        return [{ ...label, value: String(value) }]
    }
  })
}

/**
 * The title of an application: `{kind}` in a pattern is replaced with the value of that field. With only a Chinese
 * pattern the English title is empty: the form's name alone would not tell a member's applications apart.
 */
export function buildTitle(
  { title, titleEn, name, nameEn, schema }: ApplicationFormFields,
  data: FormData,
) {
  const fill = (pattern: string, english: boolean) =>
    pattern
      .replaceAll(/\{(\w+)\}/g, (_, field: string) => {
        const [property, value] = [schema.properties[field], data[field]]
        if (!property || isEmpty(value)) return ''
        const choice = choiceOf(property, value)
        return String((english && choice?.titleEn) || choice?.title || value).slice(0, 60)
      })
      .trim()
      .slice(0, 200)
  return {
    title: fill(title, false) || name,
    titleEn: fill(titleEn, true) || (title ? '' : nameEn),
  }
}

/** Whether a condition holds. For a missing value, only `<>` holds. */
export function matchesCondition({ field, is, value }: Condition, data: FormData): boolean {
  const [name = '', column] = field.split('.')
  const rows = data[name]
  const actual = column
    ? Array.isArray(rows)
      ? rows.reduce((sum: number, row) => sum + (Number(row?.[column]) || 0), 0)
      : 0
    : data[name]
  if (actual === undefined) return is === '<>'
  if (is === '=') return String(actual) === String(value)
  if (is === '<>') return String(actual) !== String(value)
  // Dates are compared as strings, numbers as numbers.
  const sign =
    typeof value === 'number'
      ? Math.sign(Number(actual) - value)
      : String(actual).localeCompare(value, 'en')
  return is === '<' ? sign < 0 : is === '<=' ? sign <= 0 : is === '>' ? sign > 0 : sign >= 0
}
