import { useSearch } from '#shell/page/page-context.ts'
import { WebPage } from './web-page.tsx'

/** The web page its address names. */
export default function WebviewPage() {
  return <WebPage address={useSearch('/pages/webview/webview').url} />
}
