import './appointments.css'
import { maxParticipants } from '@atrium/contract/work/appointments'
import { useState } from 'react'
import { PeopleGroups } from '#domains/work/people/people-groups.tsx'
import { PeopleSearchResults } from '#domains/work/people/people-search-results.tsx'
import { useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { deleteDraft } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { back, redirect } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { SearchForm } from '#ui/form/search-form.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, type DraftParticipant, useDraft } from './appointment-draft.ts'
import { CommonTime } from './common-time.tsx'
import { NoDraft } from './no-draft.tsx'

const path = '/pages/shedul/addParticipant'
const hints = {
  listed: m.appointments_outside_hint,
  told: m.appointments_outside_told,
  asked: m.appointments_outside_asked,
}
const keyOf = ({ accountName, email }: DraftParticipant) => accountName || email

/** Chooses participants, and a time that suits all of them. */
export default function ParticipantsPage() {
  const { keyWords = '' } = useSearch(path)
  const draft = useDraft()
  const { participants } = draft
  if (!draft.firstDay)
    return (
      <Page>
        <NoDraft />
      </Page>
    )
  return (
    <Page>
      <div className="column stack">
        <SearchForm
          label={m.appointments_people_search()}
          keyWords={keyWords}
          onSearch={(words) => redirect(path, { keyWords: words || undefined })}
        />
        <PeopleSearchResults
          keyWords={keyWords}
          full={participants.length >= maxParticipants}
          isChosen={(name) => participants.some(({ accountName }) => accountName === name)}
          onToggle={(person, chosen) =>
            changeDraft({
              participants: chosen
                ? [...participants, { ...person, email: '' }]
                : participants.filter(({ accountName }) => accountName !== person.accountName),
            })
          }
        />
        <PeopleGroups
          chosen={participants}
          max={maxParticipants}
          onAdd={(people) =>
            changeDraft({
              participants: [
                ...participants,
                ...people.map((person) => ({ ...person, email: '' })),
              ],
            })
          }
        >
          <Card title={m.appointments_invited()}>
            {participants.length === 0 ? (
              <p className="muted">{m.appointments_invited_none()}</p>
            ) : (
              <ul aria-label={m.appointments_invited()}>
                {participants.map((one) => (
                  <li key={keyOf(one)} className="appointment-person">
                    <span>
                      {one.name || one.email}
                      {one.email && one.name ? <span className="muted"> {one.email}</span> : null}
                    </span>
                    <IconButton
                      label={m.appointments_uninvite({ name: one.name || one.email })}
                      onClick={() =>
                        changeDraft({ participants: participants.filter((other) => other !== one) })
                      }
                    >
                      <Icon name="close" />
                    </IconButton>
                  </li>
                ))}
              </ul>
            )}
            <ExternalParticipants participants={participants} />
          </Card>
          {participants.some(({ accountName }) => accountName) ? (
            <CommonTime draft={draft} />
          ) : null}
          <Button wide onClick={() => back()}>
            {m.appointments_done()}
          </Button>
        </PeopleGroups>
      </div>
    </Page>
  )
}

/** Adds external people by mail address; the organiser informs them. */
function ExternalParticipants({ participants }: { participants: DraftParticipant[] }) {
  const settings = useScheduleSettings()
  const [open, setOpen] = useState(false)
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState('')
  if (!open)
    return (
      <div className="appointment-add">
        <Button kind="plain" wide onClick={() => setOpen(true)}>
          {m.appointments_outside_add()}
        </Button>
      </div>
    )
  function add() {
    const address = email.trim().toLowerCase()
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/.test(address))
      return setError(m.appointments_outside_bad())
    if (!participants.some((one) => one.email === address))
      changeDraft({
        participants: [...participants, { accountName: '', email: address, name: name.trim() }],
      })
    deleteDraft('appointments.outside')
    setEmail('')
    setName('')
    setOpen(false)
  }
  return (
    <DraftForm
      draft={'appointments.outside'}
      className="appointment-fields appointment-outside"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <Field
        label={m.appointments_outside_email()}
        type="email"
        value={email}
        onValue={(value) => {
          setError('')
          setEmail(value)
        }}
        maxLength={254}
        hint={hints[settings.data?.outside ?? 'listed']()}
        error={error}
      />
      <Field label={m.appointments_outside_name()} value={name} onValue={setName} maxLength={100} />
      <Button type="submit" wide>
        {m.appointments_outside_invite()}
      </Button>
    </DraftForm>
  )
}
