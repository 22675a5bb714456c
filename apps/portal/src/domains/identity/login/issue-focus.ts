import { useEffect, useRef } from 'react'

/** Ref for a form: whenever the issues change, focuses the first invalid field. */
export function useIssueFocus(issues: object | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (issues) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [issues])
  return form
}
