import './feedback.css'
import {
  type FeedbackKind,
  type FeedbackPhoto,
  feedback,
  maxContent,
  maxPhotos,
} from '@atrium/contract/member/feedback'
import { services } from '@atrium/contract/services/services'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import type { ApiError } from '#lib/api.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LocationField } from '#shell/location-field.tsx'
import { redirect } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftNote } from '#ui/form/draft-form.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Uploader } from '#ui/form/uploader.tsx'
import { useUploads } from '#ui/form/uploads.ts'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, clearDraft, useDraft, useIsDraftDirty } from './feedback-draft.ts'
import { sendPhoto } from './send-photo.ts'

/** Sends feedback: a kind, a short text and photos. */
export default function NewFeedbackPage() {
  const kinds = useQuery({ ...q(feedback.kinds), refetchOnWindowFocus: false })
  return (
    <Page>
      <div className="column stack">
        <QueryView query={kinds} skeleton={<Skeleton height={560} label={m.shell_loading()} />}>
          {(list) => <FeedbackForm kinds={list} />}
        </QueryView>
      </div>
    </Page>
  )
}

function FeedbackForm({ kinds }: { kinds: FeedbackKind[] }) {
  const { kindId: requestedKind = '', serviceId } = useSearch('/pages/myInfo/suggestNew')
  const service = useQuery({
    ...q(services.read, { query: { serviceId: serviceId ?? '' } }),
    enabled: serviceId !== undefined,
  })
  const draft = useDraft()
  const isKept = useIsDraftDirty()
  const { content, place, point, contact, mayPublish } = draft
  const selectedKind = draft.kindId || requestedKind
  const kindId = kinds.some(({ id }) => id === selectedKind) ? selectedKind : ''
  const { draftPhotos, removePhoto, clearPhotos, uploads, list, sent, sending } = usePhotos()
  const [issues, setIssues] = useState<Record<string, string>>({})
  const set = (change: Parameters<typeof changeDraft>[0]) => {
    setIssues({})
    // The preselected kind counts as chosen.
    changeDraft({ kindId, ...change })
  }
  const { mutate, isPending } = useAction(feedback.send, {
    invalidates: [feedback.own],
    done: ({ id }) => {
      toast(m.feedback_sent())
      clearDraft()
      clearPhotos()
      redirect('/pages/myInfo/suggestRecord', { id })
    },
    failed: (error: ApiError) => {
      setIssues(error.fields ?? {})
      return Object.keys(error.fields ?? {}).length > 0
    },
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const missing = {
      ...(kinds.length > 0 && !kindId && { kindId: m.feedback_needs_kind() }),
      ...(!content.trim() && { content: m.feedback_needs_text() }),
    }
    setIssues(missing)
    if (Object.keys(missing).length > 0) return
    mutate({
      body: {
        key: draft.key,
        kindId: kindId || null,
        // An unknown or inaccessible service is no reason to refuse the feedback.
        serviceId: service.isError ? null : (serviceId ?? null),
        content,
        place,
        point: place.trim() ? point : null,
        contact,
        mayPublish,
        photos: [...draftPhotos, ...sent].map(({ id }) => id),
      },
    })
  }
  return (
    <form className="feedback-form" onSubmit={submit} noValidate>
      {service.data ? (
        <AboutService name={inLanguage(service.data.serviceName, service.data.serviceNameEn)} />
      ) : null}
      {kinds.length > 0 ? (
        <fieldset className="feedback-kinds">
          <legend>{m.feedback_kind()}</legend>
          <div>
            {kinds.map(({ id, name, nameEn }) => (
              <label key={id}>
                <input
                  type="radio"
                  name="kind"
                  checked={kindId === id}
                  onChange={() => set({ kindId: id })}
                />
                <span>
                  <Bilingual zh={name} en={nameEn} />
                </span>
              </label>
            ))}
          </div>
          {issues.kindId ? (
            <p className="field-error" role="alert">
              {issues.kindId}
            </p>
          ) : null}
        </fieldset>
      ) : null}
      <TextArea
        label={m.feedback_content()}
        placeholder={m.feedback_content_hint()}
        value={content}
        onValue={(value) => set({ content: value })}
        maxLength={maxContent}
        {...(issues.content && { error: issues.content })}
      />
      <DraftPhotos photos={draftPhotos} onLeaveOut={removePhoto} />
      <Uploader
        label={m.feedback_photos()}
        uploads={uploads}
        list={list}
        album
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
      />
      <LocationField
        label={m.feedback_place()}
        location={place}
        point={point}
        onChange={({ location, point }) => set({ place: location, point })}
        maxLength={100}
        hint={m.feedback_place_hint()}
      />
      <Field
        label={m.feedback_contact()}
        value={contact}
        onValue={(value) => set({ contact: value })}
        maxLength={60}
        autoComplete="tel"
        hint={m.feedback_contact_hint()}
      />
      <Switch
        label={m.feedback_may_publish()}
        checked={mayPublish}
        onChange={(value) => set({ mayPublish: value })}
      />
      <p className="muted">{m.feedback_may_publish_note()}</p>
      <Button type="submit" wide busy={isPending || sending}>
        {sending ? m.feedback_photos_sending() : m.feedback_send()}
      </Button>
      {isKept ? <DraftNote onDiscard={clearDraft} /> : null}
    </form>
  )
}

/** Photos from the draft and new ones; uploaded photos are stored in the draft when the page is left. */
function usePhotos() {
  const { photos: draftPhotos } = useDraft()
  const { uploads, list } = useUploads(sendPhoto, maxPhotos - draftPhotos.length)
  const sent = list.flatMap(({ result }) => (result ? [result] : []))
  const current = useRef<readonly FeedbackPhoto[]>([])
  useEffect(() => {
    current.current = [...draftPhotos, ...sent]
  })
  useEffect(
    () => () => {
      if (current.current.length > 0) changeDraft({ photos: current.current })
    },
    [],
  )
  return {
    draftPhotos,
    uploads,
    list,
    sent,
    sending: list.some(({ state }) => state === 'waiting' || state === 'sending'),
    /** Called after sending: the photos belong to the feedback now. */
    clearPhotos() {
      uploads.stop()
      current.current = []
    },
    removePhoto: (id: string) =>
      changeDraft({ photos: draftPhotos.filter((photo) => photo.id !== id) }),
  }
}

type DraftPhotosProps = { photos: readonly FeedbackPhoto[]; onLeaveOut: (id: string) => void }

function DraftPhotos({ photos, onLeaveOut }: DraftPhotosProps) {
  if (photos.length === 0) return null
  return (
    <ul className="feedback-kept" aria-label={m.feedback_photos()}>
      {photos.map(({ id, thumbnail }, at) => (
        <li key={id}>
          <img src={thumbnail} alt={m.feedback_photo({ place: at + 1 })} width={72} height={72} />
          <IconButton
            label={m.feedback_photo_remove({ place: at + 1 })}
            onClick={() => onLeaveOut(id)}
          >
            <Icon name="trash" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

/** The service that the user came from. */
function AboutService({ name }: { name: string }) {
  const { kindId } = useSearch('/pages/myInfo/suggestNew')
  return (
    <p className="feedback-service">
      <span>{m.feedback_about_service({ name })}</span>
      <IconButton
        label={m.feedback_about_service_remove()}
        onClick={() => redirect('/pages/myInfo/suggestNew', { ...(kindId && { kindId }) })}
      >
        <Icon name="close" />
      </IconButton>
    </p>
  )
}
