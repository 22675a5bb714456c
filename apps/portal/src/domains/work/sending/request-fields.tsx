import { m } from '#paraglide/messages.js'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { Switch } from '#ui/form/switch.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { changeDraft, useDraft } from './draft.ts'

const maxAnswers = 6
const emptyChoice = { text: '', textEn: '' }

/** What readers are asked to do: confirm, or choose one of several answers. */
export function RequestFields({ english }: { english: boolean }) {
  const { confirm, choices } = useDraft()
  const setChoices = (next: typeof choices) => changeDraft({ choices: next })
  const change = (at: number, values: Partial<typeof emptyChoice>) =>
    setChoices(choices.map((one, index) => (index === at ? { ...one, ...values } : one)))
  return (
    <>
      <Switch
        label={m.sending_confirm()}
        checked={confirm}
        onChange={(on) => changeDraft({ confirm: on })}
      />
      <Switch
        label={m.sending_answers()}
        checked={choices.length > 0}
        onChange={(on) => setChoices(on ? [emptyChoice, emptyChoice] : [])}
      />
      {choices.length > 0 ? (
        <div className="sending-answers">
          {choices.map((choice, index) => (
            // Answers have no identity but their index.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <div key={index} className="sending-answer">
              <Field
                label={m.sending_answer({ number: index + 1 })}
                value={choice.text}
                onValue={(text) => change(index, { text })}
                maxLength={60}
              />
              {english ? (
                <Field
                  label={m.sending_answer_en({ number: index + 1 })}
                  value={choice.textEn}
                  onValue={(textEn) => change(index, { textEn })}
                  maxLength={60}
                  lang="en"
                />
              ) : null}
              {choices.length > 2 ? (
                <IconButton
                  label={m.sending_answer_remove({ number: index + 1 })}
                  onClick={() => setChoices(choices.filter((_, at) => at !== index))}
                >
                  <Icon name="trash" />
                </IconButton>
              ) : null}
            </div>
          ))}
          {choices.length < maxAnswers ? (
            <Button kind="plain" onClick={() => setChoices([...choices, emptyChoice])}>
              {m.sending_answer_add()}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  )
}
