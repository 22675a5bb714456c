import { Component, type ReactNode } from 'react'
import { clearStoredAnswers } from '#lib/queries.ts'
import { reloadPage } from '#shell/navigation/page-exit.ts'
import { failureText, supportCode } from '#shell/page/failure.ts'
import { Failed } from '#ui/feedback/failed.tsx'

type State = { error?: unknown }

/** Catches errors thrown outside any page and shows them without depending on the app, so the screen is never blank. */
export class AppBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = {}
  static getDerivedStateFromError(error: unknown): State {
    return { error: error ?? new Error('unknown') }
  }
  override componentDidCatch(error: unknown) {
    clearStoredAnswers(error)
  }
  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <AppError error={error} />
  }
}

/** Shown when the app could not start or has crashed. */
export const AppError = ({ error }: { error: unknown }) => (
  <main className="page" id="main">
    <Failed text={failureText(error)} code={supportCode(error)} onRetry={reloadPage} />
  </main>
)
