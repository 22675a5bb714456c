import { createContext, type ReactNode, useContext, useId } from 'react'

const Name = createContext('')

type ChoicesProps = { label: string; inline?: boolean; children: ReactNode }

/** A group of radio buttons. */
export function Choices({ label, inline, children }: ChoicesProps) {
  const name = useId()
  const look = inline ? 'appointment-choices appointment-choices-inline' : 'appointment-choices'
  return (
    <Name.Provider value={name}>
      <fieldset className={look}>
        <legend className="unseen">{label}</legend>
        {children}
      </fieldset>
    </Name.Provider>
  )
}

type ChoiceProps = { checked: boolean; onChoose: () => void; children: ReactNode }

export function Choice({ checked, onChoose, children }: ChoiceProps) {
  return (
    <label>
      <input type="radio" name={useContext(Name)} checked={checked} onChange={onChoose} />
      <span>{children}</span>
    </label>
  )
}
