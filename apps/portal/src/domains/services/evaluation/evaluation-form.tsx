import {
  type Evaluation,
  evaluation,
  maxComment,
  maxPhotos,
  type Standard,
} from '@atrium/contract/services/evaluation'
import { useState } from 'react'
import { deleteDraft, useDraftState } from '#lib/drafts.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { useAction } from '#shell/page/action.ts'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import { DraftForm } from '#ui/form/draft-form.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Rate } from '#ui/form/rate.tsx'
import { TextArea } from '#ui/form/text-area.tsx'
import { Uploader } from '#ui/form/uploader.tsx'
import { useUploads } from '#ui/form/uploads.ts'
import { Icon } from '#ui/media/icon.tsx'
import { sendPhoto } from './send-photo.ts'

type FormProps = {
  serviceId: string
  standards: readonly Standard[]
  /** The member's earlier rating. */
  previous: Evaluation | null
  onDone: () => void
}

const changed = [evaluation.mine, evaluation.score, evaluation.list, evaluation.standardAverage]

type RemainingPhotosProps = {
  photos: Evaluation['photos']
  onKeep: (photos: Evaluation['photos']) => void
}

/** Photos of the earlier rating, which can be removed. */
function RemainingPhotos({ photos, onKeep }: RemainingPhotosProps) {
  if (photos.length === 0) return null
  return (
    <ul className="evaluation-kept" aria-label={m.evaluation_photos()}>
      {photos.map(({ id, thumbnail }, at) => (
        <li key={id}>
          <img src={thumbnail} alt={m.evaluation_photo({ place: at + 1 })} width={72} height={72} />
          <IconButton
            label={m.evaluation_photo_remove({ place: at + 1 })}
            onClick={() => onKeep(photos.filter((photo) => photo.id !== id))}
          >
            <Icon name="trash" />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

/** Stars, the institution's criteria (if any), a text and photos; also edits an earlier rating. */
export function EvaluationForm({ serviceId, standards, previous, onDone }: FormProps) {
  const [stars, setStars] = useDraftState(`evaluation ${serviceId}#stars`, previous?.stars ?? 0)
  const [scores, setScores] = useDraftState<Record<string, number>>(
    `evaluation ${serviceId}#scores`,
    Object.fromEntries(previous?.scores.map((score) => [score.code, score.stars]) ?? []),
  )
  const [comment, setComment] = useState(previous?.comment ?? '')
  const [remainingPhotos, setRemainingPhotos] = useState(previous?.photos ?? [])
  const { uploads, list } = useUploads(sendPhoto, maxPhotos - remainingPhotos.length)
  const [missing, setMissing] = useState(false)
  const save = useAction(evaluation.save, {
    invalidates: changed,
    done() {
      deleteDraft(`evaluation ${serviceId}`)
      toast(m.evaluation_saved())
      onDone()
    },
  })
  const remove = useAction(evaluation.remove, {
    invalidates: changed,
    done() {
      deleteDraft(`evaluation ${serviceId}`)
      toast(m.evaluation_taken_back())
      onDone()
    },
  })
  const complete = stars > 0 && standards.every(({ code }) => (scores[code] ?? 0) > 0)
  const sending = list.some(({ state }) => state === 'waiting' || state === 'sending')
  const submit = () => {
    setMissing(!complete)
    if (!complete) return
    const sent = list.flatMap(({ result }) => (result ? [result.id] : []))
    save.mutate({
      body: {
        serviceId,
        stars,
        comment,
        scores: standards.map(({ code }) => ({ code, stars: scores[code] ?? 0 })),
        photos: [...remainingPhotos.map(({ id }) => id), ...sent],
      },
    })
  }
  return (
    <DraftForm
      draft={`evaluation ${serviceId}`}
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <Rate label={m.evaluation_overall()} value={stars} onValue={setStars} />
      {standards.map(({ code, name, nameEn }) => (
        <Rate
          key={code}
          label={inLanguage(name, nameEn)}
          value={scores[code] ?? 0}
          onValue={(value) => setScores({ ...scores, [code]: value })}
        />
      ))}
      <TextArea
        label={m.evaluation_comment()}
        placeholder={m.evaluation_comment_hint()}
        value={comment}
        onValue={setComment}
        maxLength={maxComment}
      />
      <RemainingPhotos photos={remainingPhotos} onKeep={setRemainingPhotos} />
      <Uploader
        label={m.evaluation_photos()}
        uploads={uploads}
        list={list}
        album
        accept="image/jpeg,image/png,image/webp,image/gif,image/avif"
      />
      <p className="muted">{m.evaluation_anonymous()}</p>
      <p className="evaluation-missing" role="alert">
        {missing && !complete
          ? standards.length > 0
            ? m.evaluation_missing_all()
            : m.evaluation_missing()
          : ''}
      </p>
      <div className="evaluation-actions">
        {previous ? (
          <Button
            kind="plain"
            busy={remove.isPending}
            onClick={() => remove.mutate({ params: { id: previous.id } })}
          >
            {m.evaluation_take_back()}
          </Button>
        ) : null}
        <Button type="submit" busy={save.isPending || sending}>
          {sending
            ? m.evaluation_sending()
            : previous
              ? m.evaluation_change()
              : m.evaluation_submit()}
        </Button>
      </div>
    </DraftForm>
  )
}
