import type { DepartmentCalendar } from '@atrium/contract/work/department-calendars.operator'
import { useState } from 'react'
import { People } from '#domains/work/calendars/shares.tsx'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { Icon } from '#ui/media/icon.tsx'

type Editor = DepartmentCalendar['editors'][number]
type EditorsProps = {
  editors: readonly Editor[]
  onEditors: (editors: Editor[]) => void
  error: string | undefined
}

const shortest = 2
const maxEditors = 100

/** Additional members who may write in a calendar. */
export function Editors({ editors, onEditors, error }: EditorsProps) {
  const [words, setWords] = useState('')
  return (
    <fieldset className="department-editors">
      <legend>{m.department_calendars_editors()}</legend>
      <p className="muted">{m.department_calendars_editors_hint()}</p>
      {editors.length > 0 ? (
        <ul>
          {editors.map((editor) => {
            const name = inLanguage(editor.name, editor.nameEn)
            return (
              <li key={editor.accountName}>
                <span>
                  {name} <span className="muted">{editor.accountName}</span>
                </span>
                <IconButton
                  label={m.department_calendars_editor_remove({ name })}
                  onClick={() => onEditors(editors.filter((other) => other !== editor))}
                >
                  <Icon name="close" />
                </IconButton>
              </li>
            )
          })}
        </ul>
      ) : null}
      {editors.length < maxEditors ? (
        <SearchField
          label={m.department_calendars_editor_search()}
          value={words}
          onValue={setWords}
        />
      ) : null}
      {words.trim().length >= shortest ? (
        <People
          keyWords={words.trim()}
          without={editors}
          onChoose={({ accountName, name, nameEn }) => {
            onEditors([...editors, { accountName, name, nameEn }])
            setWords('')
          }}
        />
      ) : null}
      {error ? (
        <p className="field-error" role="alert">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
