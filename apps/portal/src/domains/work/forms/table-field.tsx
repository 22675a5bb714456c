import type { FormProperty } from '@atrium/contract/work/applications'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { ColumnField } from './value-field.tsx'

type Row = Record<string, unknown>
type TableFieldProps = {
  label: string
  name: string
  property: FormProperty
  rows: unknown[]
  issues: Readonly<Record<string, string>>
  onRows: (rows: Row[] | undefined) => void
}

/** Table rows as stacked forms, since a phone has no room for columns. Numbers are summed. */
export function TableField({
  label,
  name,
  property,
  rows: inputRows,
  issues,
  onRows,
}: TableFieldProps) {
  // An initial empty row is shown; it is no content until something is entered.
  const [blank, setBlank] = useState(inputRows.length === 0)
  const rows = [...(inputRows as Row[]), ...(blank ? [{}] : [])]
  const columns = Object.entries(property.items?.properties ?? {})
  const required = property.items?.required ?? []
  const maxRows = property.maxItems ?? 50
  const set = (next: Row[]) => {
    setBlank(false)
    onRows(next.length > 0 ? next : undefined)
  }
  const change = (at: number, column: string, value: unknown) =>
    set(rows.map((row, index) => (index === at ? { ...row, [column]: value } : row)))
  return (
    <fieldset className="form-table">
      <legend>{label}</legend>
      {issues[name] ? <p className="field-error">{issues[name]}</p> : null}
      {rows.map((row, at) => (
        // Rows have no identity but their index.
        // biome-ignore lint/suspicious/noArrayIndexKey: see above
        <div key={at} className="form-row">
          <p className="form-row-head">
            <span className="muted">{m.forms_row({ number: at + 1 })}</span>
            <IconButton
              label={m.forms_row_remove({ number: at + 1 })}
              onClick={() => set(rows.filter((_, index) => index !== at))}
            >
              <Icon name="trash" />
            </IconButton>
          </p>
          {columns.map(([key, column]) => {
            const error = issues[`${name}.${at}.${key}`]
            return (
              <ColumnField
                key={key}
                column={column}
                required={required.includes(key)}
                value={row[key]}
                onValue={(value) => change(at, key, value)}
                {...(error && { error })}
              />
            )
          })}
        </div>
      ))}
      {rows.length > 1
        ? columns.map(([key, column]) =>
            column.type === 'string' ? null : (
              <p key={key} className="form-sum">
                {m.forms_sum({
                  name: inLanguage(column.title, column.titleEn),
                  sum: sumOf(rows, key),
                })}
              </p>
            ),
          )
        : null}
      {rows.length < maxRows ? (
        <Button kind="plain" small onClick={() => setBlank(true)} disabled={blank}>
          <Icon name="plus" />
          {m.forms_row_add()}
        </Button>
      ) : null}
    </fieldset>
  )
}

const sumOf = (rows: Row[], key: string) =>
  String(Math.round(rows.reduce((sum, row) => sum + (Number(row[key]) || 0), 0) * 100) / 100)
