import { useSearch } from '#shell/page/page-context.ts'
import { ProveContact } from './prove-contact.tsx'

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
