import { ProveContact } from '#domains/identity/account/prove-contact.tsx'
import { useSearch } from '#shell/page/page-context.ts'

export default function QuestionsPhonePage() {
  return (
    <ProveContact
      kind="mobile"
      onwards={useSearch('/pages/modifyPwd/qPhone')}
      otherwise="/pages/modifyPwd/modifyQuestion"
      other="/pages/modifyPwd/qEmail"
    />
  )
}
