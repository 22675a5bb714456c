import type { SearchResult } from '@atrium/contract/discovery/search'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useOpenService } from '#domains/services/service-opening/open-service.ts'
import { openAddress } from '#shell/navigation/navigation.ts'
import { reportOpened } from './search-queries.ts'

const PersonSheet = lazy(() => import('./person-sheet.tsx'))

type Openable = Pick<SearchResult, 'kind' | 'id' | 'to' | 'serviceId'>

/** Opens a result: a service, a page of the portal or the web, or a person in a sheet, which the page must render. */
export function useOpenResult(): {
  open: (result: Openable) => void
  opened: (result: Openable, keyWords: string) => void
  opening: string | undefined
  sheet: ReactNode
} {
  const { open: openService, opening } = useOpenService()
  const [person, setPerson] = useState<string>()
  return {
    open({ kind, id, to, serviceId }) {
      if (kind === 'person') setPerson(id)
      else if (to) openAddress(to)
      else if (serviceId) openService(serviceId)
    },
    opened: (result, keyWords) => reportOpened(keyWords, result),
    opening,
    sheet: person ? (
      <Suspense>
        <PersonSheet id={person} onClose={() => setPerson(undefined)} />
      </Suspense>
    ) : null,
  }
}
