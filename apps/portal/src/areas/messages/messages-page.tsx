import { Page } from '#shell/page.tsx'

export default function MessagesPage() {
  return (
    <Page>
      <div className="column" />
    </Page>
  )
}
