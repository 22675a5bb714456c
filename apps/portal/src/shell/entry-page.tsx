import { useEffect } from 'react'
import { go } from './navigation.ts'
import { PageLoading } from './page-states.tsx'
import { homePath } from './screens.ts'

/** A start never stays here; a link inside the app that leads to the entry leads home. */
export default function EntryPage() {
  useEffect(() => go('relaunch', homePath()), [])
  return <PageLoading />
}
