type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What is filled in, by a name that each control has again when the screen is drawn anew. */
export type Fields = Record<string, string | boolean>

/** Whatever can be filled in below `root`. Passwords, codes and what a browser is not to fill in are left out. */
export function controlsIn(root: ParentNode): [string, Control][] {
  const seen = new Map<string, number>()
  return Array.from(root.querySelectorAll<Control>('input, textarea, select'))
    .filter(mayBeKept)
    .map((control) => {
      const words = control.getAttribute('aria-label') ?? control.labels?.[0]?.textContent ?? ''
      const choice = control.type === 'radio' ? control.value : ''
      // Names that React makes up are others the next time.
      const given = /^\W|^_r/.test(control.name) ? '' : control.name
      const name = [control.type, given, words.trim(), choice].join(' ')
      const nth = seen.get(name) ?? 0
      seen.set(name, nth + 1)
      return [`${name} ${nth}`, control]
    })
}

const neverKept = ['password', 'hidden', 'file', 'submit', 'button', 'image', 'reset']
const mayBeKept = ({ type, autocomplete, disabled }: Control) =>
  !neverKept.includes(type) && !disabled && !/off|one-time-code|password|cc-/.test(autocomplete)

const isTicked = (control: Control): control is HTMLInputElement =>
  control.type === 'checkbox' || control.type === 'radio'
export const stateOf = (control: Control) => (isTicked(control) ? control.checked : control.value)

/** As if it was typed, so that whatever listens hears of it. @returns whether anything changed */
export function fill(control: Control, value: string | boolean) {
  if (stateOf(control) === value) return false
  if (isTicked(control)) {
    // A radio button is let go of by another one.
    if (control.type === 'radio' && value === false) return false
    control.click()
    return true
  }
  // React watches the property on the element itself; the one below it is what a person changes.
  const setter = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(control), 'value')?.set
  setter?.call(control, value)
  control.dispatchEvent(new Event('input', { bubbles: true }))
  control.dispatchEvent(new Event('change', { bubbles: true }))
  return true
}
