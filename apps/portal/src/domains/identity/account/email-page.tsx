import { NewContact } from './new-contact.tsx'

export default function EmailPage() {
  return <NewContact kind="email" />
}
