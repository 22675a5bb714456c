import { todos } from '@atrium/contract/work/todos'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { m } from '#paraglide/messages.js'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Icon } from '#ui/media/icon.tsx'

const shortest = 2

type PersonFieldProps = {
  label: string
  /** a username, or empty */
  value: string
  /** the person's name, if known */
  name: string | undefined
  error?: string
  hint?: string
  onValue: (username: string | undefined) => void
}

/** Chooses a person, searched by name. */
export function PersonField({ label, value, name, error, hint, onValue }: PersonFieldProps) {
  const [words, setWords] = useState('')
  const [foundPerson, setFoundPerson] = useState<{ username: string; name: string }>()
  const debouncedWords = useDebounced(words)
  if (value)
    return (
      <div className="field">
        <span className="form-label">{label}</span>
        <p className="form-person">
          <Icon name="person" />
          <span>{name ?? (foundPerson?.username === value ? foundPerson.name : value)}</span>
          <IconButton label={m.forms_person_other()} onClick={() => onValue(undefined)}>
            <Icon name="close" />
          </IconButton>
        </p>
        {error ? <p className="field-error">{error}</p> : null}
      </div>
    )
  return (
    <div>
      <Field
        label={label}
        value={words}
        onValue={setWords}
        placeholder={m.forms_person_hint()}
        autoComplete="off"
        {...(error && { error })}
        {...(hint && { hint })}
      />
      {debouncedWords.length >= shortest ? (
        <People
          words={debouncedWords}
          onChoose={(person) => {
            setFoundPerson(person)
            setWords('')
            onValue(person.username)
          }}
        />
      ) : null}
    </div>
  )
}

function People({
  words,
  onChoose,
}: {
  words: string
  onChoose: (person: { username: string; name: string }) => void
}) {
  const { data, isPending } = useQuery(q(todos.people, { query: { keyWords: words } }))
  return (
    <>
      <p className="unseen" role="status">
        {data ? m.forms_people_found({ count: data.length }) : ''}
      </p>
      {data?.length === 0 && !isPending ? (
        <p className="muted form-nobody">{m.people_none()}</p>
      ) : (
        <ul className="form-people">
          {data?.map((one) => {
            const name = inLanguage(one.name, one.nameEn)
            return (
              <li key={one.accountName}>
                <button
                  type="button"
                  className="list-row"
                  onClick={() => onChoose({ username: one.accountName, name })}
                >
                  <span className="list-row-words">
                    <span className="list-row-text">{name}</span>
                    <span className="list-row-value">
                      {one.accountName} · {inLanguage(one.organization, one.organizationEn)}
                    </span>
                  </span>
                </button>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
