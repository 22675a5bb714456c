import { QueryClientProvider } from '@tanstack/react-query'
import { useLanguage } from '#lib/language.ts'
import { queryClient } from '#lib/queries.ts'
import { useSession } from '#lib/session.ts'
import { Toasts } from '#ui/toast.tsx'
import { Frame } from './frame.tsx'

/** Another language or another member begins with a fresh tree: no text and no state of the one before stays behind. */
export function App() {
  const language = useLanguage()
  const account = useSession()?.accountId ?? ''
  return (
    <QueryClientProvider client={queryClient}>
      <Frame key={`${language} ${account}`} />
      <Toasts />
    </QueryClientProvider>
  )
}
