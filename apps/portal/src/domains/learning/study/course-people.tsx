import { type CoursePerson, study } from '@atrium/contract/learning/study'
import { useInfiniteQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { pages } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { ListEnd } from '#shell/page/list-end.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { Pill } from '#ui/pill.tsx'
import { nameOf } from './labels.ts'

/** Teachers and students, as far as they let themselves be shown. */
export function CoursePeople({ id }: { id: string }) {
  const people = useInfiniteQuery(pages(study.people, { params: { id }, query: { pageSize: 50 } }))
  return (
    <QueryView
      query={people}
      skeleton={<Skeleton rows={6} height={56} label={m.shell_loading()} />}
    >
      {({ pages: all }) => (
        <>
          <ul className="row-list">
            {all.flatMap(({ list }) =>
              list.map((person) => (
                <li key={person.id} className="study-person">
                  <Person person={person} />
                </li>
              )),
            )}
          </ul>
          <ListEnd query={people} />
        </>
      )}
    </QueryView>
  )
}

function Person({ person }: { person: CoursePerson }) {
  const name = nameOf(person)
  return (
    <>
      <Avatar name={name} url={person.portraitUrl} size={40} />
      <span className="study-two study-grow">
        <span>
          {name} {person.role === 'teaches' ? <Pill>{m.study_teacher()}</Pill> : null}
        </span>
        <span className="muted">{inLanguage(person.organization, person.organizationEn)}</span>
      </span>
      {person.mobile ? (
        <a
          className="icon-button"
          href={`tel:${person.mobile}`}
          aria-label={m.study_call({ name })}
        >
          <Icon name="phone" />
        </a>
      ) : null}
      {person.email ? (
        <a
          className="icon-button"
          href={`mailto:${person.email}`}
          aria-label={m.study_mail({ name })}
        >
          <Icon name="mail" />
        </a>
      ) : null}
    </>
  )
}
