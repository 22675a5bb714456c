import { figures } from '@atrium/rules/figures'
import { environment } from '#lib/environment.ts'
import { read, write } from '#lib/storage.ts'
import { getSetting } from '#shell/config.ts'
import { planAddress } from './address-plan.ts'
import { getHistoryEntry, goBack, push, replace } from './history.ts'
import { openExternalApp } from './page-exit.ts'
import { type Move, pathOf, planBack, planMove, type Verb } from './page-stack.ts'
import {
  findLoadedScreen,
  homePath,
  isTab,
  type Path,
  type SearchArgs,
  withRouteMap,
} from './screens.ts'
import { joinSearch, splitSearch } from './search.ts'

/** Counts relaunches; kept tabs belong to one launch. */
let launches = 0
export const launchCount = () => launches

/** Steps back to the page the app was started on. */
export const depth = () => getHistoryEntry().depth

/** Opens a page on top of the stack; a tab is switched to instead. */
export const navigate = <P extends Path>(path: P, ...[search]: SearchArgs<P>) =>
  performNavigation('navigate', hrefOf(path, search))
/** Replaces the current page. */
export const redirect = <P extends Path>(path: P, ...[search]: SearchArgs<P>) =>
  performNavigation('redirect', hrefOf(path, search))
/**
 * Shows a tab as it was left and removes the pages above it.
 * @public
 */
export const switchTab = <P extends Path>(path: P, ...[search]: SearchArgs<P>) =>
  performNavigation('switchTab', hrefOf(path, search))
/** Discards every page and tab and starts again on this one. */
export const relaunch = <P extends Path>(path: P, ...[search]: SearchArgs<P>) =>
  performNavigation('relaunch', hrefOf(path, search))
/** Goes back `steps` pages; on the page the app was started on, goes home. */
export const back = (steps = 1) => perform(planBack(steps, getHistoryEntry(), homePath()))

/** The address of a screen. */
export const hrefOf = <P extends Path>(path: P, search?: object) => path + joinSearch({ ...search })

/** Called before every move; may return another address, or `false` to refuse. */
export type Interceptor = (verb: Verb, href: string) => string | false
let interceptor: Interceptor | undefined
export function setInterceptor(next: Interceptor | undefined) {
  interceptor = next
}

/** The same for an address that is only known at run time: one of ours, with its query. */
export function performNavigation(verb: Verb, requested: string) {
  const href = interceptor ? interceptor(verb, requested) : requested
  if (href === false) return
  const toTab = isTab(pathOf(href))
  if (toTab && verb === 'navigate') announceTab(href)
  if (verb === 'relaunch') launches++
  perform(planMove(verb, href, getHistoryEntry(), toTab))
}

const newTaskListeners = new Set<(fields: Record<string, string>) => void>()
/** Calls `listener` with the search fields that came with an address of the new-task tab, once that tab shows. */
export function onNewTask(listener: (fields: Record<string, string>) => void) {
  newTaskListeners.add(listener)
  return () => {
    newTaskListeners.delete(listener)
  }
}

/** Tabs are switched to, which drops search fields; those of the new-task tab are passed on separately. */
function announceTab(href: string) {
  write('switchTabUrl', href)
  if (pathOf(href) !== getSetting('newtaskRoute')) return
  setTimeout(() => {
    // Use the last request: another tab may have been opened since.
    const stored = read('switchTabUrl') ?? ''
    const fields = splitSearch(stored.slice(pathOf(stored).length))
    if (pathOf(stored) !== getSetting('newtaskRoute') || Object.keys(fields).length === 0) return
    for (const listener of newTaskListeners) listener(fields)
  }, figures.tabSwitchEventDelay)
}

/** Opens an address given by an operator, a service or an article: a screen of ours or a web page. */
export const openAddress = (address: string) => withRouteMap(() => open(address))

function open(address: string) {
  const plan = planAddress(address, {
    origin: location.origin,
    isScreen: (path) => findLoadedScreen(path) !== undefined,
    addressList: getSetting('ENV_ENABLE_ADDRESSLIST'),
    inContainer: environment.isSuperApp || environment.miniProgram !== null,
  })
  if (plan.open === 'screen') performNavigation('navigate', plan.href)
  if (plan.open === 'web')
    performNavigation(
      'navigate',
      `${plan.inContainer ? containerWebPage : webPage}${joinSearch({ url: plan.url })}`,
    )
  if (plan.open === 'device') openExternalApp(plan.url)
}
const webPage = '/pages/webview/webview'
const containerWebPage = '/pages/webview/plus-webview'

function perform(move: Move) {
  if (move.do === 'push') push(move.href)
  if (move.do === 'replace') replace(move.href)
  if (move.do === 'back') goBack(move.steps, move.href)
}
