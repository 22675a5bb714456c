import { useEffect, useRef } from 'react'

/** For a form: whenever something else is wrong, the first field with an issue takes the focus. */
export function useIssueFocus(issues: object | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (issues) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [issues])
  return form
}
