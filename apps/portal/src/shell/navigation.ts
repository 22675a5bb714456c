import { getPlace, goBack, push, replace } from './history.ts'
import { type Move, pathOf, planBack, planMove, type Verb } from './page-stack.ts'
import { homePath, type Path, type SearchGiven, screenAt } from './screens.ts'
import { joinSearch } from './search.ts'

/** Counts relaunches: kept tabs belong to one of them. */
let launches = 0
export const launchCount = () => launches

/** Steps back to the page the app was started on. */
export const depth = () => getPlace().depth

/** One page deeper; a tab is switched to. */
export const navigate = <P extends Path>(path: P, ...[search]: SearchGiven<P>) =>
  go('navigate', hrefOf(path, search))
/** Takes the place of the current page. */
export const redirect = <P extends Path>(path: P, ...[search]: SearchGiven<P>) =>
  go('redirect', hrefOf(path, search))
/**
 * Shows a tab as it was left, leaving the pages above it.
 * @public
 */
export const switchTab = <P extends Path>(path: P, ...[search]: SearchGiven<P>) =>
  go('switchTab', hrefOf(path, search))
/** Leaves every page and tab and starts afresh on this one. */
export const relaunch = <P extends Path>(path: P, ...[search]: SearchGiven<P>) =>
  go('relaunch', hrefOf(path, search))
/** So many pages back; on the page the app was started on, home. */
export const back = (steps = 1) => perform(planBack(steps, getPlace(), homePath()))

/** The address of a screen. */
export const hrefOf = <P extends Path>(path: P, search?: object) => path + joinSearch({ ...search })

/** The same for an address that is only known while running: one of ours, with its query. */
export function go(verb: Verb, href: string) {
  if (verb === 'relaunch') launches++
  perform(planMove(verb, href, getPlace(), Boolean(screenAt(pathOf(href))?.tab)))
}

/** Opens what an operator or a service gives: `pages/…` inside the app, everything else as the web page it is. */
export function openAddress(address: string) {
  const href = /^(pages|pagesA|study-center|addressBook|onlineSend)\//.test(address)
    ? `/${address}`
    : address
  if (screenAt(pathOf(href))) go('navigate', href)
  else if (/^https?:\/\//.test(href)) window.open(href, '_blank', 'noopener')
}

function perform(move: Move) {
  if (move.do === 'push') push(move.href)
  if (move.do === 'replace') replace(move.href)
  if (move.do === 'back') goBack(move.steps, move.href)
}
