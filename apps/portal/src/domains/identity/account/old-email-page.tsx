import { useSearch } from '#shell/page/page-context.ts'
import { ProveContact } from './prove-contact.tsx'

export default function OldEmailPage() {
  return (
    <ProveContact
      kind="email"
      onwards={useSearch('/pages/modifyPwd/oldEmail')}
      otherwise="/pages/modifyPwd/email"
      other="/pages/modifyPwd/oldPhone"
    />
  )
}
