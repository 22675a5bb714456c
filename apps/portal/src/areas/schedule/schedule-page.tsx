import { Page } from '#shell/page.tsx'

export default function SchedulePage() {
  return (
    <Page>
      <div className="column" />
    </Page>
  )
}
