import './search-box.css'
import '#ui/form/search-field.css'
import { maxSearchLength, type Suggestion } from '@atrium/contract/discovery/search'
import { Autocomplete } from '@base-ui/react/autocomplete'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ScanEntry } from '#domains/shell/scan/scan-entry.tsx'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { useSettled } from '#lib/settled.ts'
import { m } from '#paraglide/messages.js'
import { IconButton } from '#ui/form/icon-button.tsx'
import { MarkedText } from '#ui/marked-text.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { kinds } from './kinds.ts'
import { useSuggestions } from './search-queries.ts'
import { VoiceButton } from './voice-button.tsx'

type SearchBoxProps = {
  label: string
  /** what the address says is searched for */
  keyWords: string
  /** Stands in the empty field, and is searched for when that is sent as it is. */
  defaultWords?: string | undefined
  onSearch: (words: string) => void
  /** A suggestion that is a thing, not words. Without it nothing is suggested. */
  onOpen?: (suggestion: Suggestion) => void
  /** The same words are sent once more: the first result is opened. */
  onFirst?: () => void
}

/** The field of a search: suggests while one types, searches by Enter, opens the first result by another Enter. */
export function SearchBox(props: SearchBoxProps) {
  const { label, keyWords, defaultWords, onSearch, onOpen, onFirst } = props
  const [words, setWords] = useState(keyWords)
  const [seen, setSeen] = useState(keyWords)
  // Words chosen elsewhere on the page.
  if (keyWords !== seen) {
    setSeen(keyWords)
    setWords(keyWords)
  }
  const [typing, setTyping] = useState(false)
  const settled = useSettled(onOpen && typing ? words.trim() : '')
  const { data = [] } = useSuggestions(settled)
  const list = settled ? data : []
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const arrivedEmpty = useRef(keyWords === '')
  useEffect(() => {
    if (arrivedEmpty.current) field.current?.focus()
  }, [])

  const send = (given: string) => {
    const sent = given.trim() || (defaultWords ?? '')
    setTyping(false)
    if (!sent) return
    setWords(sent)
    if (sent === keyWords && onFirst) return onFirst()
    // The keyboard goes, so that the results are seen; keys of a computer stay here.
    if (matchMedia('(pointer: coarse)').matches) field.current?.blur()
    onSearch(sent)
  }
  const choose = (one: Suggestion) => {
    setTyping(false)
    const text = inLanguage(one.text, one.textEn)
    if (one.kind === 'history' || one.kind === 'word') return send(one.text)
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
        // A search field would be emptied by it.
        event.preventDefault()
        setTyping(false)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        send(words)
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
            // The list is drawn below, so the field says itself whether it is there.
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
          ) : (
            <>
              <VoiceButton
                onWords={(heard, final) => {
                  setWords(heard)
                  if (final) send(heard)
                }}
              />
              <ScanEntry />
            </>
          )}
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
                typed={settled}
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

/** Words that somebody typed are in no known language. */
const langOf = ({ kind, text, textEn }: Suggestion) =>
  kind === 'history' || kind === 'word' ? undefined : foreignLang(text, textEn)
