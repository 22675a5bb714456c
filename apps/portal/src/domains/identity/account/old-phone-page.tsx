import { useSearch } from '#shell/page/page-context.ts'
import { ProveContact } from './prove-contact.tsx'

export default function OldPhonePage() {
  return (
    <ProveContact
      kind="mobile"
      onwards={useSearch('/pages/modifyPwd/oldPhone')}
      otherwise="/pages/modifyPwd/newPhone"
      other="/pages/modifyPwd/oldEmail"
    />
  )
}
