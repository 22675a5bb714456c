import { useEffect } from 'react'
import { performNavigation } from '#shell/navigation/navigation.ts'
import { useSearch } from '#shell/page/page-context.ts'
import { PageLoading } from '#shell/page/page-states.tsx'
import { safeTarget } from '#shell/sign-in/sign-in.ts'

/** The last step of signing in: goes to the wanted page, else home. */
export default function TransitPage() {
  const { returnTarget } = useSearch('/pages/fenliu/h5MiddlePage')
  useEffect(() => performNavigation('redirect', safeTarget(returnTarget)), [returnTarget])
  return <PageLoading />
}
