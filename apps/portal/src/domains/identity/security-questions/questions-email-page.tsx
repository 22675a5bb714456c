import { ProveContact } from '#domains/identity/account/prove-contact.tsx'
import { useSearch } from '#shell/page/page-context.ts'

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
