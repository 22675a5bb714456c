import { useEffect, useRef } from 'react'

/** For a form: whenever something else is wrong, the first field at fault takes the focus. */
export function useFaultFocus(faults: object | undefined) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (faults) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [faults])
  return form
}
