import { Page } from '#shell/page.tsx'

export default function HomePage() {
  return (
    <Page>
      <div className="column" />
    </Page>
  )
}
