import { overviewPath } from '#domains/identity/account/screens.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { AnswerQuestions } from './answer-questions.tsx'

/** An additional step before another change. */
export default function VerifyQuestionPage() {
  return (
    <AnswerQuestions
      onwards={useSearch('/pages/modifyPwd/verfityQuestion')}
      otherwise={overviewPath}
    />
  )
}
