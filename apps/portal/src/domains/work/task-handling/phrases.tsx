import { maxPhrases, taskSettings } from '@atrium/contract/work/task-settings'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { useOptimisticAction } from '#shell/page/action.ts'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'

const maxLength = 100

type PhrasesProps = {
  comment: string
  onChoose: (comment: string) => void
}

/** The member's saved phrases: inserted with a tap, added and removed here. */
export function Phrases({ comment, onChoose }: PhrasesProps) {
  const phrases = useQuery(q(taskSettings.phrases)).data
  const [removing, setRemoving] = useState(false)
  const set = useOptimisticAction(taskSettings.setPhrases, {
    query: q(taskSettings.phrases),
    update: (_, { body }) => body.phrases,
    queue: 'task-phrases',
  })
  // While unknown nothing can be added, since saving replaces the whole list.
  if (!phrases) return null
  const save = (next: string[]) => set.mutate({ body: { phrases: next } })
  const words = comment.trim()
  const isNew = words !== '' && words.length <= maxLength && !phrases.includes(words)
  if (phrases.length === 0 && !isNew) return null
  return (
    <fieldset className="task-phrases">
      <legend className="unseen">{m.tasks_phrases()}</legend>
      {phrases.map((phrase) => (
        <button
          key={phrase}
          type="button"
          className="task-phrase"
          aria-label={removing ? m.tasks_phrase_remove({ phrase }) : undefined}
          onClick={() =>
            removing ? save(phrases.filter((one) => one !== phrase)) : onChoose(phrase)
          }
        >
          {phrase}
          {removing ? <Icon name="close" /> : null}
        </button>
      ))}
      {isNew && phrases.length < maxPhrases ? (
        <Button kind="plain" small onClick={() => save([...phrases, words])}>
          {m.tasks_phrase_keep()}
        </Button>
      ) : null}
      {phrases.length > 0 ? (
        <Button kind="plain" small onClick={() => setRemoving(!removing)}>
          {removing ? m.tasks_phrases_done() : m.tasks_phrases_remove()}
        </Button>
      ) : null}
    </fieldset>
  )
}
