import '#domains/content/workbench/workbench-page.css'
import {
  catalogue,
  type ManagedGuide,
  type ManagedService,
} from '@atrium/contract/services/service-catalogue.operator'
import { type SubmitEvent, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { changed, useGuide } from './catalogue-queries.ts'
import { GuideAttachments } from './guide-attachments.tsx'
import { type Material, Materials, type Step, Steps } from './guide-lists.tsx'

/** The guide of a service: steps, materials, place and hours. */
export function GuidePart({ service: { serviceId } }: { service: ManagedService }) {
  const guide = useGuide(serviceId)
  const [writing, setWriting] = useState(false)
  return (
    <QueryView query={guide} skeleton={<Skeleton height={360} label={m.shell_loading()} />}>
      {(found) =>
        found || writing ? (
          <GuideForm
            key={found?.version ?? 0}
            serviceId={serviceId}
            guide={found}
            onReload={guide.refetch}
            onRemoved={() => setWriting(false)}
          />
        ) : (
          <Card>
            <Empty
              icon="clipboard"
              title={m.service_catalogue_guide_none()}
              action={
                <Button onClick={() => setWriting(true)}>{m.service_catalogue_guide_make()}</Button>
              }
            >
              {m.service_catalogue_guide_none_text()}
            </Empty>
          </Card>
        )
      }
    </QueryView>
  )
}

const nothing = {
  intro: '',
  introEn: '',
  appliesTo: '',
  appliesToEn: '',
  place: '',
  placeEn: '',
  hours: '',
  hoursEn: '',
  contact: '',
  contactEn: '',
  steps: [] as Step[],
  materials: [] as Material[],
  attachments: [] as ManagedGuide['attachments'],
}
type Content = typeof nothing
type TextName = Exclude<keyof Content, 'steps' | 'materials' | 'attachments'>

function contentOf(guide: ManagedGuide | null): Content {
  if (!guide) return nothing
  const { serviceId: _id, version: _version, updatedAt: _updated, ...content } = guide
  return content
}

type GuideFormProps = {
  serviceId: string
  guide: ManagedGuide | null
  onReload: () => Promise<unknown>
  onRemoved: () => void
}

function GuideForm({ serviceId, guide, onReload, onRemoved }: GuideFormProps) {
  const draft = `catalogue.guide ${serviceId}`
  const [content, setContent] = useDraftState(`${draft}#content`, contentOf(guide))
  const [issues, setIssues] = useState<Record<string, string>>({})
  const [uploading, setUploading] = useState(false)
  const set = (part: Partial<Content>) => setContent((now) => ({ ...now, ...part }))
  const save = useAction(catalogue.saveGuide, {
    invalidates: [...changed, catalogue.read],
    failed(error: ApiError) {
      if (error.code === 'service.changed_meanwhile') {
        toast(m.service_catalogue_changed())
        void onReload()
        return true
      }
      setIssues(error.fields)
      return Object.keys(error.fields).length > 0
    },
    done() {
      deleteDraft(draft)
      toast(m.service_catalogue_saved())
    },
  })
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    setIssues({})
    save.mutate({
      params: { id: serviceId },
      body: { ...content, version: guide?.version ?? null },
    })
  }
  const line = (name: TextName, label: string, maxLength: number) => (
    <Field
      label={label}
      value={content[name]}
      onValue={(value) => set({ [name]: value })}
      maxLength={maxLength}
      error={issues[name] ?? ''}
    />
  )
  const lines = (name: TextName, label: string, maxLength: number) => (
    <TextArea
      label={label}
      value={content[name]}
      onValue={(value) => set({ [name]: value })}
      maxLength={maxLength}
      rows={3}
      error={issues[name] ?? ''}
    />
  )
  return (
    <Card>
      <DraftForm draft={draft} className="workbench-set" onSubmit={send} noValidate>
        {lines('intro', m.service_catalogue_intro(), 2000)}
        {lines('introEn', m.service_catalogue_intro_en(), 4000)}
        <div className="workbench-pairs">
          {line('appliesTo', m.service_catalogue_applies(), 500)}
          {line('appliesToEn', m.service_catalogue_applies_en(), 1000)}
          {line('place', m.service_catalogue_place(), 300)}
          {line('placeEn', m.service_catalogue_place_en(), 600)}
          {line('hours', m.service_catalogue_guide_hours(), 300)}
          {line('hoursEn', m.service_catalogue_guide_hours_en(), 600)}
          {line('contact', m.service_catalogue_guide_contact(), 300)}
          {line('contactEn', m.service_catalogue_guide_contact_en(), 600)}
        </div>
        <Steps steps={content.steps} issues={issues} onSteps={(steps) => set({ steps })} />
        <Materials
          materials={content.materials}
          issues={issues}
          onMaterials={(materials) => set({ materials })}
        />
        <GuideAttachments
          attachments={content.attachments}
          issues={issues}
          onAttachments={(attachments) => set({ attachments })}
          onBusy={setUploading}
        />
        <Button type="submit" wide busy={save.isPending || uploading}>
          {m.service_catalogue_save()}
        </Button>
        {guide ? (
          <Remove serviceId={serviceId} version={guide.version} onRemoved={onRemoved} />
        ) : null}
      </DraftForm>
    </Card>
  )
}

type RemoveProps = { serviceId: string; version: number; onRemoved: () => void }

function Remove({ serviceId, version, onRemoved }: RemoveProps) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useAction(catalogue.removeGuide, {
    invalidates: [...changed, catalogue.read],
    done() {
      toast(m.service_catalogue_guide_removed())
      onRemoved()
    },
  })
  return (
    <>
      <Button kind="plain" wide onClick={() => setIsConfirming(true)}>
        {m.service_catalogue_guide_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={() => setIsConfirming(false)}
        title={m.service_catalogue_guide_remove_ask()}
        actions={
          <>
            <Button kind="plain" onClick={() => setIsConfirming(false)}>
              {m.service_catalogue_cancel()}
            </Button>
            <Button
              kind="danger"
              busy={remove.isPending}
              onClick={() => remove.mutate({ params: { id: serviceId }, query: { version } })}
            >
              {m.service_catalogue_guide_remove()}
            </Button>
          </>
        }
      >
        {m.service_catalogue_guide_remove_text()}
      </Dialog>
    </>
  )
}
