import { config, type SystemConf } from '@atrium/contract/shell/config'
import { useQuery } from '@tanstack/react-query'
import { useContext, useEffect } from 'react'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { performNavigation } from '#shell/navigation/navigation.ts'
import { isTab, tabPaths } from '#shell/navigation/screens.ts'
import { Page } from '#shell/page/page.tsx'
import { PageContext } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { WebPage } from './web-page.tsx'

/** A web page configured by an operator: as its own tab, or instead of our news, tasks or schedule. */
export default function ConfiguredPage() {
  const { path } = useContext(PageContext)
  const system = useQuery(q(config.system))
  if (system.data) return <Configured {...configurationOf(path, system.data)} tab={isTab(path)} />
  return (
    <Page>
      <div className="column">
        <QueryView query={system}>{() => null}</QueryView>
      </div>
    </Page>
  )
}

type Configuration = {
  address: string
  /** Our own screen, used if no address is configured. */
  fallback: string
  title?: string
}

function Configured({ address, fallback, title, tab }: Configuration & { tab: boolean }) {
  useEffect(() => {
    if (!address) performNavigation('redirect', fallback)
  }, [address, fallback])
  return address ? <WebPage address={address} title={title} tab={tab} /> : null
}

function configurationOf(path: string, { footTabs, publicConfig }: SystemConf): Configuration {
  const setting = (name: string) => publicConfig.find(({ key }) => key === name)?.value ?? ''
  if (path.endsWith('/news-webview'))
    return { address: setting('newsUrl'), fallback: setting('newsRoute') }
  if (path.endsWith('/newtask-webview'))
    return { address: setting('newtaskUrl'), fallback: setting('newtaskRoute') }
  const scheduleTab = 3
  if (path.endsWith('/schedule-webview'))
    return {
      address: setting('scheduleUrl'),
      fallback: `${tabPaths()[scheduleTab]}?isHideTabbar=1`,
    }
  const index = Number(path.slice(-1)) - 1
  const item = footTabs[index]
  return {
    address: item?.externalUrl ?? '',
    fallback: tabPaths()[index] ?? '/',
    title: item && inLanguage(item.text, item.textEn),
  }
}
