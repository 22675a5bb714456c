import { useEffect, useState } from 'react'
import { callContainer } from '#shell/container/container.ts'
import type { Point } from './places.ts'

/** Milliseconds for which a position remains usable. */
const maxAge = 2 * 60_000
let lastPosition: { here: Point; at: number } | undefined

type Position = {
  here: Point | undefined
  state: 'unknown' | 'asking' | 'refused'
  locate: () => void
}

/** The member's position. Requested by a tap, or immediately if the permission was already granted. */
export function usePosition(): Position {
  const [here, setHere] = useState(() =>
    lastPosition && Date.now() - lastPosition.at < maxAge ? lastPosition.here : undefined,
  )
  const [state, setState] = useState<Position['state']>('unknown')
  const locate = async () => {
    setState('asking')
    try {
      const { latitude, longitude } = await callContainer('locate')
      lastPosition = { here: { latitude, longitude }, at: Date.now() }
      setHere(lastPosition.here)
      setState('unknown')
    } catch {
      setState('refused')
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the list opens
  useEffect(() => {
    let isMounted = true
    if (!here)
      void isAllowed().then((allowed) => {
        if (allowed && isMounted) void locate()
      })
    return () => {
      isMounted = false
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
