import { useSearch } from '#shell/page/page-context.ts'
import { WebPage } from './web-page.tsx'

/** The web page named in the address. */
export default function WebviewPage() {
  return <WebPage address={useSearch('/pages/webview/webview').url} />
}
