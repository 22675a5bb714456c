import './search-box.css'
import '#ui/form/search-field.css'
import { maxSearchLength, type Suggestion } from '@atrium/contract/discovery/search'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ScanEntry } from '#domains/shell/scan/scan-entry.tsx'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { useDebounced } from '#lib/use-debounced.ts'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { MarkedText } from '#ui/marked-text.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { kinds } from './kinds.ts'
import { useSuggestions } from './search-queries.ts'
import { VoiceButton } from './voice-button.tsx'

type SearchBoxProps = {
  label: string
  /** the search terms in the address */
  keyWords: string
  /** Placeholder, and the search term if an empty form is sent. */
  defaultWords?: string | undefined
  onSearch: (words: string) => void
  /** Opens a suggestion that is an item rather than words. Without it there are no suggestions. */
  onOpen?: (suggestion: Suggestion) => void
  /** Called if the same words are sent again: opens the first result. */
  onFirst?: () => void
}

/** A search field that suggests while typing; Enter searches, and a second Enter opens the first result. */
export function SearchBox(props: SearchBoxProps) {
  const { label, keyWords, defaultWords, onSearch, onOpen, onFirst } = props
  const [words, setWords] = useState(keyWords)
  const [seen, setSeen] = useState(keyWords)
  // The words were changed elsewhere on the page.
  if (keyWords !== seen) {
    setSeen(keyWords)
    setWords(keyWords)
  }
  const [typing, setTyping] = useState(false)
  const debounced = useDebounced(onOpen && typing ? words.trim() : '')
  const { data = [] } = useSuggestions(debounced)
  const list = debounced ? data : []
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const arrivedEmpty = useRef(keyWords === '')
  useEffect(() => {
    if (arrivedEmpty.current) field.current?.focus()
  }, [])

  const submit = (terms: string) => {
    const sent = terms.trim() || (defaultWords ?? '')
    setTyping(false)
    if (!sent) return
    setWords(sent)
    if (sent === keyWords && onFirst) return onFirst()
    // Hides the on-screen keyboard, so that the results are visible; with a physical keyboard the focus stays.
    if (matchMedia('(pointer: coarse)').matches) field.current?.blur()
    onSearch(sent)
  }
  const choose = (one: Suggestion) => {
    setTyping(false)
    const text = inLanguage(one.text, one.textEn)
    if (one.kind === 'history' || one.kind === 'word') return submit(one.text)
    setWords(text)
    onOpen?.(one)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: old webviews do not know the element
    <form
      className="search-box"
      role="search"
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setTyping(false)
      }}
      onKeyDownCapture={(event) => {
        if (event.key !== 'Escape' || list.length === 0) return
        event.stopPropagation()
        // Escape would clear a search field.
        event.preventDefault()
        setTyping(false)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        submit(words)
      }}
    >
      <Autocomplete.Root
        inline
        open
        mode="none"
        items={list}
        value={words}
        itemToStringValue={({ text, textEn }: Suggestion) => inLanguage(text, textEn)}
        onValueChange={(value, { reason }) => {
          if (reason === 'item-press') return
          setWords(value)
          setTyping(value.trim() !== '')
        }}
      >
        <div className="search-field">
          <Icon name="search" />
          <Autocomplete.Input
            ref={field}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            maxLength={maxSearchLength}
            aria-label={label}
            // The list is rendered below, so the field sets these attributes itself.
            aria-expanded={list.length > 0}
            aria-controls={list.length > 0 ? listId : undefined}
            placeholder={defaultWords || label}
          />
          {words ? (
            <IconButton
              label={m.shell_clear()}
              onClick={() => {
                setWords('')
                setTyping(false)
                field.current?.focus()
              }}
            >
              <Icon name="close" />
            </IconButton>
          ) : null}
          {/* While listening, the field fills with what was heard so far. */}
          <VoiceButton
            onWords={(heard, final) => {
              setWords(heard)
              if (final) submit(heard)
            }}
          />
          {words ? null : <ScanEntry />}
        </div>
        {list.length > 0 ? (
          <Autocomplete.List
            id={listId}
            className="search-suggestions"
            aria-label={m.search_suggestions()}
          >
            {(one: Suggestion) => (
              <SuggestionItem
                key={`${one.kind} ${one.text}`}
                suggestion={one}
                typed={debounced}
                onChoose={() => choose(one)}
              />
            )}
          </Autocomplete.List>
        ) : null}
      </Autocomplete.Root>
      <button type="submit" className="unseen" tabIndex={-1}>
        {m.search_title()}
      </button>
    </form>
  )
}

type SuggestionItemProps = { suggestion: Suggestion; typed: string; onChoose: () => void }

function SuggestionItem({ suggestion, typed, onChoose }: SuggestionItemProps) {
  return (
    <Autocomplete.Item value={suggestion} className="search-suggestion" onClick={onChoose}>
      <Icon name={glyphOf(suggestion)} />
      <span className="search-suggestion-text" lang={langOf(suggestion)}>
        <MarkedText text={inLanguage(suggestion.text, suggestion.textEn)} words={[typed]} />
      </span>
      <span className="muted">{nameOf(suggestion)}</span>
    </Autocomplete.Item>
  )
}

function glyphOf({ kind }: Suggestion): IconName {
  if (kind === 'history') return 'history'
  return kind === 'word' ? 'search' : kinds[kind].glyph
}

function nameOf({ kind }: Suggestion): ReactNode {
  return kind === 'history' || kind === 'word' ? null : kinds[kind].name()
}

/** The language of typed words is unknown. */
const langOf = ({ kind, text, textEn }: Suggestion) =>
  kind === 'history' || kind === 'word' ? undefined : foreignLang(text, textEn)
