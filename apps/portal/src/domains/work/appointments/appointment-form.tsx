import './appointments.css'
import '#domains/work/schedule/event-row.css'
import { maxEventFiles } from '@atrium/contract/work/appointments'
import { useState } from 'react'
import { FilesField } from '#domains/content/files/files-field.tsx'
import { remindersText } from '#domains/work/calendars/reminder-text.ts'
import { CategoryField } from '#domains/work/event-category/category-field.tsx'
import { useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LocationField } from '#shell/location-field.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { back } from '#shell/navigation/navigation.ts'
import { Card } from '#ui/card.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftNote } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { RowList } from '#ui/list-row.tsx'
import {
  affectsOneOccurrence,
  bodyOf,
  type Content,
  changeDraft,
  changesOf,
  clearDraft,
  useDraft,
} from './appointment-draft.ts'
import { useOwnCalendars, useSave } from './appointment-queries.ts'
import { ChangedMeanwhile, Changes } from './changes.tsx'
import { Conflicts } from './conflicts.tsx'
import { repeatEndText, repeatText } from './labels.ts'
import { QuickEntry } from './quick-entry.tsx'
import { type Scope, ScopeDialog } from './scope-dialog.tsx'
import { isTimed, WhenFields } from './when-fields.tsx'

type FormProps = {
  /** the schedule's own zone */
  zone: string
  /** shows an input that understands pasted text */
  quick?: boolean
  messageId?: string
  onReload?: () => void
  /** For a department's event in one of these calendars: visible to everyone, in both languages. */
  department?: { calendars: readonly MemberCalendar[] }
}
type MemberCalendar = {
  id: string
  name: string
  nameEn: string
  owner: string
  isDefault?: boolean
}

/** The form for an event. */
export function AppointmentForm({ zone, quick, messageId, onReload, department }: FormProps) {
  const draft = useDraft()
  const { event, before } = draft
  const [issues, setIssues] = useState<Record<string, string>>({})
  const [isConfirming, setIsConfirming] = useState(false)
  const [outdated, setOutdated] = useState(false)
  const [uploading, setUploading] = useState(false)
  const failed = (error: { code: string; fields: Record<string, string> }) => {
    setIsConfirming(false)
    if (error.code === 'event.changed_meanwhile') {
      setOutdated(true)
      return true
    }
    setIssues(error.fields)
    return 'title' in error.fields || 'url' in error.fields
  }
  const saving = useSave({ messageId, isDepartment: department !== undefined, failed })
  const changes = before ? changesOf(draft, before) : {}
  const change = (content: Partial<Content>) => {
    setIssues({})
    changeDraft(content)
  }
  function save() {
    if (!draft.title.trim()) return setIssues({ title: m.appointments_needs_title() })
    if (draft.url.trim() && !/^https:\/\/\S+\.\S+/.test(draft.url.trim()))
      return setIssues({ url: m.appointments_needs_https() })
    if (!isTimed(draft)) return
    if (!event) {
      const body = { uid: draft.uid, ...bodyOf(draft) }
      saving.create(body)
    } else if (Object.keys(changes).length === 0) {
      clearDraft()
      back()
    } else if (event.rrule) setIsConfirming(true)
    else saveChange('all')
  }
  function saveChange(scope: Scope) {
    if (!event) return
    const { id, version, originalLocal } = event
    saving.update(id, { version, scope, ...(event.rrule && { originalLocal }), ...changes })
  }
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault()
        save()
      }}
    >
      {outdated ? (
        <ChangedMeanwhile
          onReload={() => {
            setOutdated(false)
            clearDraft()
            onReload?.()
          }}
        />
      ) : null}
      {quick ? <QuickEntry content={draft} /> : null}
      <Card>
        <div className="appointment-fields">
          <Field
            label={m.schedule_add_name()}
            value={draft.title}
            onValue={(title) => change({ title })}
            maxLength={200}
            error={issues.title ?? ''}
          />
          {department ? (
            <Field
              label={m.department_calendars_title_en()}
              value={draft.titleEn ?? ''}
              onValue={(titleEn) => change({ titleEn })}
              maxLength={200}
              error={issues.titleEn ?? ''}
            />
          ) : null}
          <WhenFields content={draft} zone={zone} />
          {department ? null : <Conflicts content={draft} id={event?.id ?? ''} />}
        </div>
      </Card>
      <MoreRows content={draft} reminds={!(event || department)} alone={!department} />
      <MoreFields
        content={draft}
        calendars={department?.calendars}
        urlIssue={issues.url ?? ''}
        change={change}
        onUploading={setUploading}
      />
      <Button
        wide
        type="submit"
        disabled={!isTimed(draft) || uploading}
        busy={saving.isCreating || (saving.isUpdating && !isConfirming)}
      >
        {event
          ? m.appointments_save()
          : department
            ? m.department_calendars_publish()
            : m.schedule_add_save()}
      </Button>
      {draft.title || draft.notes ? (
        <DraftNote
          onDiscard={() => {
            clearDraft()
            back()
          }}
        />
      ) : null}
      <ScopeDialog
        open={isConfirming}
        title={m.appointments_save_ask()}
        confirm={{ label: m.appointments_save() }}
        {...(!affectsOneOccurrence(changes) && { onlySeries: m.appointments_only_series() })}
        busy={saving.isUpdating}
        onClose={() => setIsConfirming(false)}
        onChoose={saveChange}
      >
        {before ? <Changes from={before} to={draft} /> : null}
      </ScopeDialog>
    </form>
  )
}

type MoreFieldsProps = {
  content: Content
  /** the department's calendars, or the member's own */
  calendars: readonly MemberCalendar[] | undefined
  urlIssue: string
  change: (content: Partial<Content>) => void
  onUploading: (busy: boolean) => void
}

/** Calendar, location and attachments. */
function MoreFields({ content, calendars, urlIssue, change, onUploading }: MoreFieldsProps) {
  const [initialFiles] = useState(content.files)
  return (
    <Card>
      <div className="appointment-fields">
        <CalendarField content={content} departmentCalendars={calendars} />
        <LocationField
          label={m.schedule_add_place()}
          location={content.location}
          point={content.point}
          onChange={change}
          maxLength={200}
        />
        <Field
          label={m.appointments_link()}
          type="url"
          inputMode="url"
          placeholder="https://"
          value={content.url}
          onValue={(url) => change({ url })}
          maxLength={1000}
          error={urlIssue}
        />
        <TextArea
          label={m.appointments_notes()}
          value={content.notes}
          onValue={(notes) => change({ notes })}
          maxLength={5000}
          rows={3}
        />
        <CategoryField
          category={content.category}
          color={content.categoryColor}
          onChange={change}
        />
        <FilesField
          label={m.appointments_files()}
          initialFiles={initialFiles}
          max={maxEventFiles}
          onChange={(files) => change({ files })}
          onBusy={onUploading}
        />
        <Switch
          label={m.appointments_busy()}
          checked={content.busy}
          onChange={(busy) => change({ busy })}
        />
      </div>
    </Card>
  )
}

/** Rows that lead to their own screens. */
type MoreRowsProps = {
  content: Content
  /** the editor has reminders for it */
  reminds: boolean
  /** without participants, only the member sees it */
  alone: boolean
}

function MoreRows({ content, reminds, alone }: MoreRowsProps) {
  const settings = useScheduleSettings().data
  const { allDay, participants, reminders, repeatSet } = content
  const usual = (allDay ? settings?.allDayReminders : settings?.reminders) ?? []
  return (
    <RowList values="below">
      <LinkRow to="/pages/shedul/personSet" icon="refresh" value={repeatText(content)}>
        {m.appointments_repeat()}
      </LinkRow>
      {repeatSet ? (
        <LinkRow to="/pages/shedul/schedulRepeat" icon="history" value={repeatEndText(content)}>
          {m.appointments_repeat_end()}
        </LinkRow>
      ) : null}
      <LinkRow
        to="/pages/shedul/addParticipant"
        icon="people"
        value={
          participants.length === 0
            ? alone
              ? m.appointments_only_me()
              : m.department_calendars_nobody()
            : participants.length > 3
              ? m.appointments_people({ count: participants.length })
              : participants.map(({ name, email }) => name || email).join(m.schedule_and())
        }
      >
        {m.appointments_participants()}
      </LinkRow>
      {reminds ? (
        <LinkRow
          to="/pages/shedul/notice"
          icon="bell"
          value={remindersText(reminders ?? usual, allDay)}
        >
          {m.appointments_reminders()}
        </LinkRow>
      ) : null}
    </RowList>
  )
}

type CalendarFieldProps = {
  content: Content
  departmentCalendars: readonly MemberCalendar[] | undefined
}

function CalendarField({ content: { calendarId }, departmentCalendars }: CalendarFieldProps) {
  const ownCalendars = useOwnCalendars(!departmentCalendars)
  const calendars: readonly MemberCalendar[] = departmentCalendars ?? ownCalendars.data ?? []
  const value = calendarId || calendars.find(({ isDefault }) => isDefault)?.id || ''
  // Shown before its options have loaded, so that nothing below it moves.
  if (calendars.length === 0 && !ownCalendars.isFetching) return null
  return (
    <SelectField
      label={m.schedule_calendar()}
      value={value}
      onValue={(next) => changeDraft({ calendarId: next })}
    >
      {calendars.map(({ id, name, nameEn, owner }) => (
        <option key={id} value={id}>
          {[inLanguage(name, nameEn), owner].filter(Boolean).join(' · ')}
        </option>
      ))}
    </SelectField>
  )
}
