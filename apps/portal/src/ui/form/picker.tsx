import './picker.css'
import { figures } from '@atrium/rules/figures'
import { type CSSProperties, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { m } from '#paraglide/messages.js'
import { Sheet } from '../feedback/dialog.tsx'
import { Button } from './button.tsx'

export type Wheel = { label: string; options: readonly { value: string; text: string }[] }

type PickerProps = {
  title: string
  wheels: readonly Wheel[]
  /** One for every wheel. */
  values: readonly string[]
  onConfirm: (values: string[]) => void
  onClose: () => void
}

/** Wheels in a sheet, for choices that no native field offers. Nothing is chosen until confirmed. */
export function Picker({ title, wheels, values, onConfirm, onClose }: PickerProps) {
  const [draft, setDraft] = useState(values)
  const confirm = () => {
    onConfirm(wheels.map(({ options }, at) => draft[at] ?? options[0]?.value ?? ''))
    onClose()
  }
  return (
    <Sheet
      open
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button kind="plain" onClick={onClose}>
            {m.ui_cancel()}
          </Button>
          <Button onClick={confirm}>{m.ui_confirm()}</Button>
        </>
      }
    >
      <div className="picker" style={size}>
        {wheels.map((wheel, at) => (
          <WheelList
            key={wheel.label}
            {...wheel}
            value={draft[at] ?? ''}
            onValue={(value) =>
              setDraft((before) => wheels.map((_, i) => (i === at ? value : (before[i] ?? ''))))
            }
          />
        ))}
      </div>
    </Sheet>
  )
}

const size = {
  '--picker-item': `${figures.pickerItemHeight / 16}rem`,
  '--picker-items': figures.pickerVisibleItems,
} as CSSProperties

type WheelListProps = Wheel & { value: string; onValue: (value: string) => void }

/**
 * One wheel: a scrolling list box with its choice in the middle. Operated by touch, mouse wheel, arrow keys, Page Up
 * and Down, Home, End and first letters.
 */
function WheelList({ label, options, value, onValue }: WheelListProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const at = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  )
  useEffect(() => {
    const wheel = list.current
    if (!wheel) return
    const item = itemHeight(wheel)
    if (Math.round(wheel.scrollTop / item) !== at) wheel.scrollTop = at * item
  }, [at])
  useEffect(() => () => clearTimeout(settling.current), [])

  const choose = (next: number) => {
    const option = options[Math.min(Math.max(next, 0), options.length - 1)]
    if (option) onValue(option.value)
  }
  const settle = () => {
    clearTimeout(settling.current)
    settling.current = setTimeout(() => {
      const wheel = list.current
      if (wheel) choose(Math.round(wheel.scrollTop / itemHeight(wheel)))
    }, 100)
  }
  const turn = (event: KeyboardEvent) => {
    const next = keyTarget(event.key, at, options)
    if (next === undefined) return
    event.preventDefault()
    choose(next)
  }
  return (
    <div className="picker-wheel">
      <div
        ref={list}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-activedescendant={`${id}${at}`}
        onScroll={settle}
        onKeyDown={turn}
      >
        {options.map((option, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus
          <div
            key={option.value}
            id={`${id}${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => choose(index)}
          >
            {option.text}
          </div>
        ))}
      </div>
    </div>
  )
}

const itemHeight = (wheel: HTMLElement) =>
  wheel.firstElementChild?.getBoundingClientRect().height || figures.pickerItemHeight

function keyTarget(key: string, at: number, options: Wheel['options']): number | undefined {
  const steps: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    PageUp: at - figures.pickerVisibleItems,
    PageDown: at + figures.pickerVisibleItems,
    Home: 0,
    End: options.length - 1,
  }
  if (steps[key] !== undefined || key.length !== 1) return steps[key]
  // A letter or digit selects the next option that begins with it.
  const starts = (index: number) =>
    options[index % options.length]?.text.toLowerCase().startsWith(key.toLowerCase())
  const step = options.findIndex((_, offset) => starts(at + 1 + offset))
  return step < 0 ? undefined : (at + 1 + step) % options.length
}
