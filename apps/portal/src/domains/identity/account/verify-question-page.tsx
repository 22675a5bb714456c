import { useSearch } from '#shell/page/page-context.ts'
import { AnswerQuestions } from './answer-questions.tsx'
import { overview } from './screens.ts'

/** One step more before another change. */
export default function VerifyQuestionPage() {
  return (
    <AnswerQuestions onwards={useSearch('/pages/modifyPwd/verfityQuestion')} otherwise={overview} />
  )
}
