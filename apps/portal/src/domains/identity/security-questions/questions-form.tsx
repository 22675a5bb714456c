import { account, listedQuestions, questionCount } from '@atrium/contract/identity/account'
import { useState } from 'react'
import { useChange } from '#domains/identity/account/account-queries.ts'
import { Form } from '#domains/identity/account/form.tsx'
import { Guarded } from '#domains/identity/account/guarded.tsx'
import { leaveAccountPage } from '#domains/identity/account/screens.ts'
import { m } from '#paraglide/messages.js'
import { toast } from '#ui/feedback/toast.tsx'
import { Field } from '#ui/form/field.tsx'
import { SelectField } from '#ui/form/select.tsx'
import { questionText } from './question-texts.ts'
import { QuestionsOff } from './questions-off.tsx'

/** Sets or replaces the security questions. */
export const QuestionsForm = () => (
  <Guarded change="questions">
    {({ questions }) => (questions.offered ? <Questions /> : <QuestionsOff />)}
  </Guarded>
)

/** `listed` is a key of the list, or empty for the member's own question. */
type Choice = { listed: string; own: string; answer: string }

const first: Choice[] = listedQuestions
  .slice(0, questionCount)
  .map((listed) => ({ listed, own: '', answer: '' }))

function Questions() {
  const [choices, setChoices] = useState(first)
  const [fields, setFields] = useState<Record<string, string>>({})
  const { mutate, isPending } = useChange(account.setQuestions, {
    done() {
      toast(m.account_questions_saved())
      leaveAccountPage()
    },
    failed(error) {
      setFields(error.fields)
      return Object.keys(error.fields).length > 0
    },
  })
  const submit = () => {
    const missing = Object.fromEntries(
      choices.flatMap(({ listed, own, answer }, at) => [
        ...(listed || own.trim().length >= 4
          ? []
          : [[`questions.${at}.question`, m.account_question_missing()]]),
        ...(answer.trim() ? [] : [[`questions.${at}.answer`, m.account_answer_missing()]]),
      ]),
    )
    setFields(missing)
    if (Object.keys(missing).length > 0) return
    const questions = choices.map(({ listed, own, answer }) => ({
      question: listed || own.trim(),
      answer,
    }))
    mutate({ body: { questions } })
  }
  return (
    <Form
      intro={m.account_questions_intro()}
      submit={m.account_save()}
      busy={isPending}
      onSubmit={submit}
    >
      {choices.map((choice, at) => (
        <Question
          // biome-ignore lint/suspicious/noArrayIndexKey: questions are told apart by their place alone
          key={at}
          at={at}
          choice={choice}
          taken={choices.map(({ listed }) => listed).filter((listed) => listed !== choice.listed)}
          fields={fields}
          onChoice={(changed) =>
            setChoices(choices.map((before, place) => (place === at ? changed : before)))
          }
        />
      ))}
    </Form>
  )
}

type QuestionProps = {
  at: number
  choice: Choice
  /** questions chosen in the other places */
  taken: string[]
  fields: Record<string, string>
  onChoice: (choice: Choice) => void
}

function Question({ at, choice, taken, fields, onChoice }: QuestionProps) {
  return (
    <fieldset className="account-question">
      <legend>{m.account_question_number({ number: at + 1 })}</legend>
      <SelectField
        label={m.account_question()}
        value={choice.listed}
        onValue={(listed) => onChoice({ ...choice, listed })}
        note={
          choice.listed ? (
            <p className="account-question-whole muted" aria-hidden="true">
              {questionText(choice.listed)}
            </p>
          ) : null
        }
      >
        {listedQuestions
          .filter((listed) => !taken.includes(listed))
          .map((listed) => (
            <option key={listed} value={listed}>
              {questionText(listed)}
            </option>
          ))}
        <option value="">{m.account_question_own()}</option>
      </SelectField>
      {choice.listed === '' ? (
        <Field
          label={m.account_question_own_label()}
          name={`question-${at}`}
          value={choice.own}
          onValue={(own) => onChoice({ ...choice, own })}
          maxLength={60}
          autoComplete="off"
          error={fields[`questions.${at}.question`] ?? ''}
        />
      ) : null}
      <Field
        label={m.account_answer()}
        name={`answer-${at}`}
        value={choice.answer}
        onValue={(answer) => onChoice({ ...choice, answer })}
        maxLength={100}
        autoComplete="off"
        error={
          fields[`questions.${at}.answer`] ??
          (choice.listed ? fields[`questions.${at}.question`] : '') ??
          ''
        }
      />
    </fieldset>
  )
}
