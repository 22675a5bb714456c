import { Page } from '#shell/page.tsx'

export default function ServicesPage() {
  return (
    <Page>
      <div className="column" />
    </Page>
  )
}
