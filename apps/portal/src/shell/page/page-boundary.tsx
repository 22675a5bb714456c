import { Component, type ReactNode } from 'react'
import { clearStoredAnswers } from '#lib/queries.ts'
import { AddressError } from '#shell/navigation/search.ts'
import { PageError } from './page-states.tsx'

type State = { at: string; error?: unknown }

/** Shows the error state of a page that throws, until the user navigates (`at`). Error boundaries must be classes. */
export class PageBoundary extends Component<{ at: string; children: ReactNode }, State> {
  override state: State = { at: this.props.at }
  static getDerivedStateFromError(error: unknown) {
    return { error: error ?? new Error('unknown') }
  }
  static getDerivedStateFromProps({ at }: { at: string }, state: State): State | null {
    return at === state.at ? null : { at, error: undefined }
  }
  override componentDidCatch(error: unknown) {
    if (!(error instanceof AddressError)) clearStoredAnswers(error)
  }
  override render() {
    const { error } = this.state
    return error === undefined ? this.props.children : <PageError error={error} />
  }
}
