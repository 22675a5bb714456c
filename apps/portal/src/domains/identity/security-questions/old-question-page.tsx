import { useSearch } from '#shell/page/page-context.ts'
import { AnswerQuestions } from './answer-questions.tsx'

/** Asked before the security questions are changed. */
export default function OldQuestionPage() {
  return (
    <AnswerQuestions
      onwards={useSearch('/pages/modifyPwd/oldQuestion')}
      otherwise="/pages/modifyPwd/modifyQuestion"
      byCode="/pages/modifyPwd/qPhone"
    />
  )
}
