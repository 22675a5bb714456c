import { write } from '#lib/storage.ts'
import { findLoadedPage, loadPage } from '#shell/navigation/page-code.ts'

/** The tabs, and the pages their lists lead to. */
const paths = [
  '/pages/tab/index/index',
  '/pages/msgCenterTab/newtask/newtask',
  '/pages/tab/schedule/schedule',
  '/pages/myInfo/payCode',
  '/pages/tab/service/index',
  '/pages/tab/my/my',
  '/pages/myInfo/eCard',
  '/pagesA/news/news',
  '/pagesA/news/detail',
  '/pagesA/message/entry',
  '/pagesA/message/detail',
  '/msgCenter/pages/task/applicationDetail',
  '/msgCenter/pages/task/personaltodo',
  '/msgCenter/pages/task/personalDetail',
  '/pages/shedul/shedulDetail',
]
/** The ones that need no search fields. */
const offlinePages = paths.slice(0, 7)

/** Loads the code of these pages, passes all loaded code to the service worker, and stores which pages open offline. */
export async function cachePages() {
  for (const path of paths) if (!findLoadedPage(path)) await loadPage(path)
  const worker = (await navigator.serviceWorker?.getRegistration())?.active
  if (!worker) return
  const urls = performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/assets/`))
  worker.postMessage({ atrium: 'keep', urls: [...new Set(urls)] })
  write('kept:pages', offlinePages)
}
