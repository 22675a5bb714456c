import type { Feedback, FeedbackLine } from '@atrium/contract/member/feedback'
import type { ReactNode } from 'react'
import { formatDayAndTime } from '#lib/format.ts'
import { inLanguage, userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { LocationLink } from '#shell/location-field.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { Card } from '#ui/card.tsx'
import { FactList } from '#ui/fact-list.tsx'
import { StatePill } from './state-pill.tsx'

type FeedbackContentProps = {
  feedback: Feedback
  /** The author's name, for those who answer. */
  author?: string
}

/** A feedback with its photos and details. */
export function FeedbackContent({ feedback, author = '' }: FeedbackContentProps) {
  const { content, photos, place, point, contact, createdAt } = feedback
  const facts: [name: string, value: ReactNode][] = [
    [m.feedback_author(), author],
    [m.feedback_kind(), inLanguage(feedback.kindName, feedback.kindNameEn)],
    [m.feedback_service(), inLanguage(feedback.serviceName, feedback.serviceNameEn)],
    [
      m.feedback_place_fact(),
      point ? (
        <>
          <span lang={userTextLang(place)}>{place}</span>
          <LocationLink location={place} point={point}>
            {m.shell_location_marked()}
          </LocationLink>
        </>
      ) : (
        place
      ),
    ],
    [m.feedback_contact_fact(), contact],
    [
      m.feedback_department(),
      inLanguage(feedback.department, feedback.departmentEn) || m.feedback_institution(),
    ],
  ]
  return (
    <Card>
      <p className="feedback-record-head">
        <StatePill state={feedback.state} />
        <time className="muted num" dateTime={createdAt}>
          {formatDayAndTime(createdAt)}
        </time>
      </p>
      <p className="feedback-text" lang={userTextLang(content)}>
        {content}
      </p>
      {photos.length > 0 ? (
        <ul className="feedback-photos">
          {photos.map(({ id, thumbnail }, at) => (
            <li key={id}>
              <button
                type="button"
                onClick={() =>
                  navigate('/preview-image', {
                    urls: JSON.stringify(photos.map(({ url }) => url)),
                    current: String(at),
                  })
                }
              >
                <img
                  src={thumbnail}
                  alt={m.feedback_photo({ place: at + 1 })}
                  width={72}
                  height={72}
                  loading="lazy"
                />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <div className="feedback-about">
        <FactList of={facts.filter(([, value]) => value !== '')} />
      </div>
      {feedback.published ? (
        <p className="muted">{author ? m.feedback_is_public() : m.feedback_is_published()}</p>
      ) : null}
    </Card>
  )
}

/** The conversation after it. */
export const Lines = ({ feedback, author }: FeedbackContentProps) => (
  <ol className="feedback-lines" aria-label={m.feedback_lines()}>
    {feedback.lines.map((line) => (
      <li key={line.id} className={`feedback-line feedback-line-${line.author}`}>
        <p className="feedback-facts muted num">
          <span>{nameOf(line, feedback, author)}</span>
          <time dateTime={line.createdAt}>{formatDayAndTime(line.createdAt)}</time>
        </p>
        <p className="feedback-text" lang={userTextLang(line.text)}>
          {line.text}
        </p>
      </li>
    ))}
  </ol>
)

const nameOf = (
  line: FeedbackLine,
  { department, departmentEn }: Feedback,
  author: string | undefined,
) =>
  line.author === 'member'
    ? (author ?? m.feedback_me())
    : inLanguage(department, departmentEn) || m.feedback_institution()
