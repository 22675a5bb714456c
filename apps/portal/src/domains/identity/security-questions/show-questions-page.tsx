import { account } from '@atrium/contract/identity/account'
import { useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { Button } from '#ui/form/button.tsx'
import '#domains/identity/account/account.css'
import '#ui/form/button.css'
import { useChange, useSecurity } from '#domains/identity/account/account-queries.ts'
import { goToRequiredStep } from '#domains/identity/account/screens.ts'
import { questionText } from './question-texts.ts'
import { QuestionsOff } from './questions-off.tsx'

/** Lists the member's security questions. The answers are never shown. */
export default function ShowQuestionsPage() {
  const security = useSecurity()
  return (
    <Page>
      <div className="column account-page">
        <QueryView query={security} skeleton={<Skeleton height={260} label={m.shell_loading()} />}>
          {({ questions }) => {
            if (!questions.offered) return <QuestionsOff />
            if (questions.list.length > 0) return <Questions list={questions.list} />
            return (
              <Empty
                icon="shield"
                title={m.account_questions_none()}
                action={
                  <Link className="button button-primary" to="/pages/modifyPwd/safeQuestionSet">
                    {m.account_questions_set()}
                  </Link>
                }
              >
                {m.account_questions_intro()}
              </Empty>
            )
          }}
        </QueryView>
      </div>
    </Page>
  )
}

function Questions({ list }: { list: string[] }) {
  const { data } = useSecurity()
  const [isConfirming, setIsConfirming] = useState(false)
  const close = () => setIsConfirming(false)
  const { mutate, isPending } = useChange(account.removeQuestions, {
    done() {
      close()
      toast(m.account_questions_removed())
    },
    failed() {
      close()
      return false
    },
  })
  const remove = () => {
    const due = data?.needs.questions[0]
    if (data && due) goToRequiredStep(due, 'questions', data, '/pages/modifyPwd/safeQuestionShow')
    else setIsConfirming(true)
  }
  return (
    <>
      <Card>
        <ol className="account-question-list">
          {list.map((question) => (
            <li key={question}>{questionText(question)}</li>
          ))}
        </ol>
      </Card>
      <Button wide onClick={() => navigate('/pages/modifyPwd/modifyQuestion')}>
        {m.account_questions_change()}
      </Button>
      <Button kind="plain" wide onClick={remove}>
        {m.account_questions_remove()}
      </Button>
      <Dialog
        open={isConfirming}
        onClose={close}
        title={m.account_questions_remove()}
        actions={
          <>
            <Button kind="plain" onClick={close}>
              {m.ui_cancel()}
            </Button>
            <Button kind="danger" busy={isPending} onClick={() => mutate({})}>
              {m.account_remove()}
            </Button>
          </>
        }
      >
        {m.account_questions_remove_text()}
      </Dialog>
    </>
  )
}
