import type { BookPerson } from '@atrium/contract/member/address-book'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { Facts } from '#ui/facts.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { Pill } from '#ui/pill.tsx'

/** A person in a list, linked to their page. */
export function PersonRow({ person, place = false }: { person: BookPerson; place?: boolean }) {
  const { accountName, portraitUrl, leads } = person
  const name = inLanguage(person.name, person.nameEn)
  return (
    <Link className="book-person" to="/addressBook/person" search={{ accountName }}>
      <Avatar name={name} url={portraitUrl} size={40} />
      <span className="book-person-words">
        <span className="book-person-name">
          <span>{name}</span>
          {leads ? <Pill tone="blue">{m.address_book_leads()}</Pill> : null}
        </span>
        <span className="muted">
          <Facts
            of={[
              person.title || person.titleEn ? (
                <Bilingual key="title" zh={person.title} en={person.titleEn} />
              ) : (
                <Bilingual key="title" zh={person.identityType} en={person.identityTypeEn} />
              ),
              place && (
                <Bilingual key="place" zh={person.organization} en={person.organizationEn} />
              ),
            ]}
          />
        </span>
      </span>
    </Link>
  )
}
