import { back, depth } from '#shell/navigation/navigation.ts'

/**
 * Navigation inside a frame shares the history with our own pages, and the browser does not tell them apart. Known are
 * only the history's length when the frame was created, and how often it has loaded.
 */
export function watchSteps() {
  let lengthBefore = 0
  let loads = 0
  const added = () => Math.max(history.length - lengthBefore, loads > 1 ? 1 : 0)
  function start() {
    lengthBefore = history.length
    loads = 0
  }
  start()
  /** Leaves the page, however far the user has navigated inside the frame. */
  function leave() {
    const before = depth() > 0 && entryBefore()
    if (before) window.navigation.traverseTo(before.key)
    else if (depth() > 0) history.go(-1 - added())
    else back()
  }
  return {
    /** Called when a new frame replaces the previous one. */
    start,
    loaded: () => {
      loads++
    },
    hasMoved: () => added() > 0,
    leave,
    /** One step back inside the frame, like the browser's own button; leaves the page if there is none. */
    stepBack: () => (added() > 0 ? history.back() : leave()),
  }
}

/** Our previous page, skipping the frame's entries. Not available in older browsers. */
function entryBefore() {
  const { navigation } = window as Partial<Window>
  const at = navigation?.currentEntry?.index ?? 0
  return navigation?.entries()[at - 1]
}
