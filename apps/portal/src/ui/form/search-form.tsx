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
  onSearch: (words: string) => void
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
  onSearch,
  onSend,
  focus = true,
}: SearchFormProps) {
  const [terms, setTerms] = useState(keyWords)
  const [address, setAddress] = useState({ keyWords, sent: keyWords })
  // Ignore the address change caused by this form: more may have been typed since.
  if (keyWords !== address.keyWords) {
    setAddress({ keyWords, sent: keyWords })
    if (keyWords !== address.sent) setTerms(keyWords)
  }
  const search = (sent = terms.trim()) => {
    setAddress({ ...address, sent })
    onSearch(sent)
  }
  useEffect(() => {
    if (terms.trim() === keyWords) return
    const timer = setTimeout(() => search(), figures.debounce)
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
        const sent = terms.trim() || (suggestion ?? '')
        setTerms(sent)
        onSend?.(sent)
        search(sent)
      }}
    >
      <SearchField label={label} suggestion={suggestion} value={terms} onValue={setTerms} />
    </form>
  )
}
