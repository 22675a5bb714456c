import './search-form.css'
import { figures } from '@atrium/rules/figures'
import { useEffect, useRef, useState } from 'react'
import { SearchField } from './search-field.tsx'

type SearchFormProps = {
  label: string
  /** what the address says is looked for */
  keyWords: string
  /** Stands in the empty field, and is looked for when that is sent as it is. */
  suggestion?: string | undefined
  /** Puts other words into the address, so that coming back finds them again. */
  onLook: (words: string) => void
  /** The words were sent, not only typed. */
  onSend?: (words: string) => void
  /** Takes the focus where nothing is looked for yet; not where there is something to read. */
  focus?: boolean
}

/** A search that the address follows once the typing pauses, and that follows the address when somebody else changes it. */
export function SearchForm({
  label,
  keyWords,
  suggestion,
  onLook,
  onSend,
  focus = true,
}: SearchFormProps) {
  const [words, setWords] = useState(keyWords)
  const [address, setAddress] = useState({ keyWords, sent: keyWords })
  // What comes back of one's own typing is no news: more may have been typed meanwhile.
  if (keyWords !== address.keyWords) {
    setAddress({ keyWords, sent: keyWords })
    if (keyWords !== address.sent) setWords(keyWords)
  }
  const look = (sent = words.trim()) => {
    setAddress({ ...address, sent })
    onLook(sent)
  }
  useEffect(() => {
    if (words.trim() === keyWords) return
    const timer = setTimeout(() => look(), figures.debounce)
    return () => clearTimeout(timer)
  })
  const form = useRef<HTMLFormElement>(null)
  const arrivedEmpty = useRef(focus && keyWords === '')
  useEffect(() => {
    if (arrivedEmpty.current) form.current?.querySelector('input')?.focus()
  }, [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: old webviews do not know the element
    <form
      ref={form}
      className="search-form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        const sent = words.trim() || (suggestion ?? '')
        setWords(sent)
        onSend?.(sent)
        look(sent)
      }}
    >
      <SearchField label={label} suggestion={suggestion} value={words} onValue={setWords} />
    </form>
  )
}
