import { useEffect } from 'react'
import { performNavigation } from '#shell/navigation/navigation.ts'
import { homePath } from '#shell/navigation/screens.ts'
import { PageLoading } from '#shell/page/page-states.tsx'

/** The start never stays here; a link inside the app to the entry page leads home. */
export default function EntryPage() {
  useEffect(() => performNavigation('relaunch', homePath()), [])
  return <PageLoading />
}
