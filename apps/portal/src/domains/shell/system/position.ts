import { useEffect, useState } from 'react'
import { callContainer } from '#shell/container/container.ts'
import type { Point } from './places.ts'

/** Milliseconds for which a position remains usable. */
const maxAge = 2 * 60_000
let known: { here: Point; at: number } | undefined

type Position = {
  here: Point | undefined
  state: 'unknown' | 'asking' | 'refused'
  locate: () => void
}

/** The member's position. Requested by a tap, or immediately if the permission was already granted. */
export function usePosition(): Position {
  const [here, setHere] = useState(() =>
    known && Date.now() - known.at < maxAge ? known.here : undefined,
  )
  const [state, setState] = useState<Position['state']>('unknown')
  const locate = async () => {
    setState('asking')
    try {
      const { latitude, longitude } = await callContainer('locate')
      known = { here: { latitude, longitude }, at: Date.now() }
      setHere(known.here)
      setState('unknown')
    } catch {
      setState('refused')
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list opens
  useEffect(() => {
    let shown = true
    if (!here)
      void isAllowed().then((allowed) => {
        if (allowed && shown) void locate()
      })
    return () => {
      shown = false
    }
  }, [])
  return { here, state, locate: () => void locate() }
}

/** Host apps and older browsers cannot tell: there it takes a tap. */
async function isAllowed() {
  try {
    return (await navigator.permissions.query({ name: 'geolocation' })).state === 'granted'
  } catch {
    return false
  }
}
