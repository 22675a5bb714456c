import './opinion.css'
import type { Opinion } from '@atrium/contract/services/evaluation'
import { formatDay } from '#lib/format.ts'
import { userTextLang } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'
import { Rate } from '#ui/form/rate.tsx'
import { UserText } from '#ui/user-text.tsx'

/** A member's rating of a service, rendered as plain text. */
export function OpinionText({ opinion }: { opinion: Opinion }) {
  const { stars, comment, photos, reply } = opinion
  const view = (at: number) =>
    navigate('/preview-image', {
      urls: JSON.stringify(photos.map(({ url }) => url)),
      current: String(at),
    })
  return (
    <article className="opinion">
      <p className="opinion-head">
        <Rate label={m.evaluation_stars()} value={stars} />
        <time className="muted num" dateTime={opinion.day}>
          {formatDay(`${opinion.day}T12:00:00`)}
        </time>
      </p>
      {comment ? (
        <p className="opinion-comment" lang={userTextLang(comment)}>
          {comment}
        </p>
      ) : null}
      {photos.length > 0 ? (
        <ul className="opinion-photos">
          {photos.map(({ id, thumbnail }, at) => (
            <li key={id}>
              <button type="button" onClick={() => view(at)}>
                <img
                  src={thumbnail}
                  alt={m.evaluation_photo({ place: at + 1 })}
                  width={72}
                  height={72}
                  loading="lazy"
                />
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      {reply ? (
        <p className="opinion-reply">
          <strong>{m.evaluation_reply()}</strong> <UserText>{reply}</UserText>
        </p>
      ) : null}
    </article>
  )
}
