import './answer-card.css'
import { maxSearchLength, type SearchAnswer } from '@atrium/contract/discovery/search'
import { useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Bilingual } from '#ui/bilingual.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { Button } from '#ui/form/button.tsx'
import { Field } from '#ui/form/field.tsx'

type AnswerCardProps = {
  answer: SearchAnswer
  /** Id of the service being opened. */
  opening: string | undefined
  onService: (serviceId: string) => void
}

/** A direct answer to the query, with its actions. */
export function AnswerCard({ answer, opening, onService }: AnswerCardProps) {
  const { title, titleEn, text, textEn, facts, ways, field } = answer
  return (
    <section className="card search-answer" aria-label={m.search_answer()}>
      <h2 className="search-answer-title">
        <Bilingual zh={title} en={titleEn} />
      </h2>
      {text || textEn ? (
        <p className="search-answer-text">
          <Bilingual zh={text} en={textEn} />
        </p>
      ) : null}
      {facts.length > 0 ? (
        <FactList
          of={facts.map(({ name, nameEn, value, valueEn }) => [
            <Bilingual key="name" zh={name} en={nameEn} />,
            <Bilingual key="value" zh={value} en={valueEn} />,
          ])}
        />
      ) : null}
      {field ? <AnswerField key={field.to} field={field} /> : null}
      {ways.length > 0 ? (
        <div className="search-answer-ways">
          {ways.map(({ name, nameEn, to, serviceId }, at) => {
            const buttonClass = at === 0 ? 'button-primary' : 'button-plain'
            return /^(tel|mailto):/.test(to) ? (
              <a key={name} className={`button button-small ${buttonClass}`} href={to}>
                <Bilingual zh={name} en={nameEn} />
              </a>
            ) : (
              <Button
                key={name}
                small
                kind={at === 0 ? 'primary' : 'plain'}
                busy={serviceId !== null && serviceId === opening}
                onClick={() => (serviceId ? onService(serviceId) : openAddress(to))}
              >
                <Bilingual zh={name} en={nameEn} />
              </Button>
            )
          })}
        </div>
      ) : null}
    </section>
  )
}

/** An input whose value is passed to the service's page. */
function AnswerField({ field }: { field: NonNullable<SearchAnswer['field']> }) {
  const [value, setValue] = useState(field.value)
  const open = () =>
    openAddress(field.to.replaceAll('{keyWords}', encodeURIComponent(value.trim())))
  return (
    <form
      className="search-answer-field"
      onSubmit={(event) => {
        event.preventDefault()
        open()
      }}
    >
      <Field
        label={inLanguage(field.name, field.nameEn)}
        value={value}
        maxLength={maxSearchLength}
        onValue={setValue}
      />
      <Button type="submit">{m.search_answer_open()}</Button>
    </form>
  )
}
