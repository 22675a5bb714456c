import './search-form.css'
import { figures } from '@atrium/rules/figures'
import { useEffect, useRef, useState } from 'react'
import { SearchField } from './search-field.tsx'

type SearchFormProps = {
  label: string
  /** the search terms in the address */
  keyWords: string
  /** Placeholder, and the search term if an empty form is sent. */
  suggestion?: string | undefined
  /** Puts the terms into the address, so that coming back restores them. */
  onLook: (words: string) => void
  /** Called when the form is submitted, not on typing. */
  onSend?: (words: string) => void
  /** Focuses the input if there are no search terms yet; not if there are results to read. */
  focus?: boolean
}

/** A search form that updates the address once typing pauses, and follows the address if it is changed elsewhere. */
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
  // Ignore the address change caused by this form: more may have been typed since.
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
