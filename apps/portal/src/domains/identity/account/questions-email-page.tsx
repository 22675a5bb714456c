import { useSearch } from '#shell/page/page-context.ts'
import { ProveContact } from './prove-contact.tsx'

export default function QuestionsEmailPage() {
  return (
    <ProveContact
      kind="email"
      onwards={useSearch('/pages/modifyPwd/qEmail')}
      otherwise="/pages/modifyPwd/modifyQuestion"
      other="/pages/modifyPwd/qPhone"
    />
  )
}
