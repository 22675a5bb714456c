import { Page } from '#shell/page.tsx'

export default function MePage() {
  return (
    <Page>
      <div className="column" />
    </Page>
  )
}
