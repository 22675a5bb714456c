import { account } from '@atrium/contract/identity/account'
import { useEffect, useState } from 'react'
import { useChange } from '#domains/identity/account/account-queries.ts'
import { Form } from '#domains/identity/account/form.tsx'
import { Guarded } from '#domains/identity/account/guarded.tsx'
import { continueTo, type NextPage } from '#domains/identity/account/screens.ts'
import { m } from '#paraglide/messages.js'
import { performNavigation } from '#shell/navigation/navigation.ts'
import { joinSearch } from '#shell/navigation/search.ts'
import { Field } from '#ui/form/field.tsx'
import { questionText } from './question-texts.ts'
import { QuestionsOff } from './questions-off.tsx'

type AnswerProps = {
  onwards: NextPage
  otherwise: string
  /** Page that accepts a code to a contact instead. */
  byCode?: string
}

/** Asks for the answers to the security questions, before something is changed. */
export const AnswerQuestions = (props: AnswerProps) => (
  <Guarded>
    {({ questions }) =>
      questions.offered ? <Answers {...props} questions={questions.list} /> : <QuestionsOff />
    }
  </Guarded>
)

function Answers({ onwards, otherwise, byCode, questions }: AnswerProps & { questions: string[] }) {
  const [answers, setAnswers] = useState(questions.map(() => ''))
  const [problem, setProblem] = useState('')
  const [wait, setWait] = useState(0)
  const none = questions.length === 0
  useEffect(() => {
    if (none) continueTo(onwards, otherwise)
  }, [none, onwards, otherwise])
  const { mutate, isPending } = useChange(account.answerQuestions, {
    done: () => continueTo(onwards, otherwise),
    failed(error) {
      setProblem(error.message)
      setWait(error.retryAfter)
      return true
    },
  })
  const submit = () => {
    const missing = answers.some((answer) => answer.trim() === '')
    setProblem(missing ? m.account_answer_all() : '')
    if (!missing) mutate({ body: { answers } })
  }
  if (none) return null
  return (
    <Form
      intro={m.account_answers_intro()}
      problem={problem}
      wait={wait}
      submit={m.account_next()}
      busy={isPending}
      onSubmit={submit}
      after={
        byCode ? (
          <button
            type="button"
            className="account-link"
            onClick={() =>
              performNavigation('redirect', byCode + joinSearch({ next: onwards.next }))
            }
          >
            {m.account_answers_by_code()}
          </button>
        ) : undefined
      }
    >
      {questions.map((question, at) => (
        <Field
          key={question}
          label={questionText(question)}
          name={`answer-${at}`}
          value={answers[at] ?? ''}
          onValue={(answer) =>
            setAnswers(answers.map((before, place) => (place === at ? answer : before)))
          }
          maxLength={100}
          autoComplete="off"
          autoCapitalize="none"
        />
      ))}
    </Form>
  )
}
