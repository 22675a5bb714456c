import '#domains/content/workbench/workbench-page.css'
import {
  catalogue,
  type ManagedService,
} from '@atrium/contract/services/service-catalogue.operator'
import { type SubmitEvent, useState } from 'react'
import { AudienceField } from '#domains/content/workbench/audience-field.tsx'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { Card } from '#ui/card.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { cacheService, changed } from './catalogue-queries.ts'

/** The editable part of a service, without fields that only the server sets. */
function contentOf(service: ManagedService) {
  const {
    serviceId: _id,
    organizationCode: _organization,
    typeCode: _type,
    online: _online,
    onlineAt: _since,
    haveGuide: _guide,
    useCount: _uses,
    owners: _owners,
    updatedAt: _updated,
    ...content
  } = service
  return content
}

type TextsPartProps = { service: ManagedService; onReload: () => Promise<unknown> }

/** The texts of a service, its search terms, position and audience. */
export function TextsPart({ service, onReload }: TextsPartProps) {
  const draft = `catalogue.texts ${service.serviceId}`
  const [fields, setFields] = useDraftState(`${draft}#fields`, contentOf(service))
  const [tags, setTags] = useState(service.tags.join('，'))
  const [position, setPosition] = useState(String(service.position))
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (part: Partial<typeof fields>) => setFields((now) => ({ ...now, ...part }))
  const update = useAction(catalogue.update, {
    invalidates: changed,
    failed(error: ApiError) {
      if (error.code === 'service.changed_meanwhile') {
        toast(m.service_catalogue_changed())
        void onReload()
        return true
      }
      setIssues(error.fields)
      return Object.keys(error.fields).length > 0
    },
    done(now) {
      deleteDraft(draft)
      cacheService(now)
      toast(m.service_catalogue_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!fields.serviceName.trim())
      return setIssues({ serviceName: m.service_catalogue_needs_name() })
    if (fields.audience.length === 0) return
    setIssues({})
    const words = tags.split(/[,，;；、]/).map((word) => word.trim())
    update.mutate({
      params: { id: service.serviceId },
      body: {
        ...fields,
        tags: [...new Set(words.filter(Boolean))],
        position: Math.trunc(Number(position)) || 0,
      },
    })
  }
  const line = (
    name: 'serviceNameEn' | 'contactInformation' | 'runTime',
    label: string,
    maxLength: number,
  ) => (
    <Field
      label={label}
      value={fields[name]}
      onValue={(value) => set({ [name]: value })}
      maxLength={maxLength}
      error={issues[name] ?? ''}
    />
  )
  const lines = (
    name: 'desc' | 'descEn' | 'notice' | 'noticeEn',
    label: string,
    maxLength: number,
  ) => (
    <TextArea
      label={label}
      value={fields[name]}
      onValue={(value) => set({ [name]: value })}
      maxLength={maxLength}
      rows={2}
      error={issues[name] ?? ''}
    />
  )
  // Errors of fields without an input here are still shown.
  const other = Object.entries(issues).find(
    ([field]) => !(field in fields) && !field.startsWith('audience'),
  )
  return (
    <Card>
      <DraftForm draft={draft} className="workbench-set" onSubmit={send} noValidate>
        <Field
          label={m.service_catalogue_name()}
          value={fields.serviceName}
          onValue={(serviceName) => set({ serviceName })}
          maxLength={60}
          error={issues.serviceName ?? ''}
        />
        {line('serviceNameEn', m.service_catalogue_name_en(), 100)}
        {lines('desc', m.service_catalogue_desc(), 300)}
        {lines('descEn', m.service_catalogue_desc_en(), 500)}
        {line('contactInformation', m.service_catalogue_contact(), 200)}
        {line('runTime', m.service_catalogue_hours(), 200)}
        {lines('notice', m.service_catalogue_notice(), 300)}
        {lines('noticeEn', m.service_catalogue_notice_en(), 500)}
        <Field
          label={m.service_catalogue_tags()}
          value={tags}
          onValue={setTags}
          hint={m.service_catalogue_tags_hint()}
          error={issues.tags ?? ''}
        />
        <Field
          label={m.service_catalogue_position()}
          value={position}
          onValue={setPosition}
          inputMode="numeric"
          hint={m.service_catalogue_position_hint()}
          error={issues.position ?? ''}
        />
        <AudienceField
          label={m.service_catalogue_audience()}
          value={fields.audience}
          onValue={(audience) => set({ audience })}
          error={Object.entries(issues).find(([field]) => field.startsWith('audience'))?.[1]}
        />
        {other ? (
          <p className="field-error" role="alert">
            {other[1]}
          </p>
        ) : null}
        <Button type="submit" wide busy={update.isPending}>
          {m.service_catalogue_save()}
        </Button>
      </DraftForm>
    </Card>
  )
}
