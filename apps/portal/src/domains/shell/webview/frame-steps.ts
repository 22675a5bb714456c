import { back, depth } from '#shell/navigation/navigation.ts'

/**
 * The pages somebody goes through inside a frame lie in the same history as our own, and the browser does not tell which is
 * which: what is known is how long the history was when the frame came, and how often it has loaded.
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
  /** Leaves the page, however far the frame has gone. */
  function leave() {
    const before = depth() > 0 && entryBefore()
    if (before) window.navigation.traverseTo(before.key)
    else if (depth() > 0) history.go(-1 - added())
    else back()
  }
  return {
    /** A new frame takes the place of the one before. */
    start,
    loaded: () => {
      loads++
    },
    hasMoved: () => added() > 0,
    leave,
    /** One step back inside the frame, as the browser's own button does; without one, off the page. */
    stepBack: () => (added() > 0 ? history.back() : leave()),
  }
}

/** The page of ours before this one, without the frame's steps. Older browsers do not tell. */
function entryBefore() {
  const { navigation } = window as Partial<Window>
  const at = navigation?.currentEntry?.index ?? 0
  return navigation?.entries()[at - 1]
}
