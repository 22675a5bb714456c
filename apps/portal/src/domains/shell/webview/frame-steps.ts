import { back, depth } from '#shell/navigation/navigation.ts'

/**
 * Navigation inside a frame shares the history with our own pages, and the browser does not tell them apart. Known are
 * only the history's length when the frame was created, and how often it has loaded.
 */
export function watchSteps() {
  let initialLength = 0
  let loads = 0
  const added = () => Math.max(history.length - initialLength, loads > 1 ? 1 : 0)
  function start() {
    initialLength = history.length
    loads = 0
  }
  start()
  /** Leaves the page, however far the user has navigated inside the frame. */
  function leave() {
    const previous = depth() > 0 && findPreviousEntry()
    if (previous) window.navigation.traverseTo(previous.key)
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
function findPreviousEntry() {
  const { navigation } = window as Partial<Window>
  const index = navigation?.currentEntry?.index ?? 0
  return navigation?.entries()[index - 1]
}
