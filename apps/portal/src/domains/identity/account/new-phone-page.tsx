import { NewContact } from './new-contact.tsx'

export default function NewPhonePage() {
  return <NewContact kind="mobile" />
}
