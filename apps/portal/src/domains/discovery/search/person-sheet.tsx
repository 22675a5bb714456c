import './person-sheet.css'
import { search } from '@atrium/contract/discovery/search'
import { useQuery } from '@tanstack/react-query'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { EmailAddress } from '#ui/email-address.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Avatar } from '#ui/media/avatar.tsx'

/** A person found, with the contact details visible to the viewer. */
export default function PersonSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const person = useQuery(q(search.person, { params: { id } }))
  const { data } = person
  return (
    <Sheet
      open
      onClose={onClose}
      title={data ? inLanguage(data.name, data.nameEn) : m.search_kind_person()}
    >
      <QueryView
        query={person}
        skeleton={<Skeleton rows={2} height={64} label={m.shell_loading()} />}
      >
        {({ portraitUrl, mobile, email, ...one }) => (
          <>
            <div className="search-person">
              <Avatar name={inLanguage(one.name, one.nameEn)} url={portraitUrl} size={56} />
              <p className="muted">
                <Bilingual zh={one.identityType} en={one.identityTypeEn} />
                {one.organization ? ' · ' : null}
                <Bilingual zh={one.organization} en={one.organizationEn} />
              </p>
            </div>
            {mobile || email ? (
              <RowList label={m.search_person_contacts()} values="below">
                {mobile ? (
                  <li>
                    <a className="list-row" href={`tel:${mobile}`}>
                      <RowContent icon="phone" value={<span className="num">{mobile}</span>}>
                        {m.search_person_call()}
                      </RowContent>
                    </a>
                  </li>
                ) : null}
                {email ? (
                  <li>
                    <a className="list-row" href={`mailto:${email}`}>
                      <RowContent icon="mail" value={<EmailAddress address={email} />}>
                        {m.search_person_mail()}
                      </RowContent>
                    </a>
                  </li>
                ) : null}
              </RowList>
            ) : (
              <p className="muted">{m.search_person_no_contacts()}</p>
            )}
            <RowList>
              <LinkRow
                to="/addressBook/person"
                search={{ accountName: one.accountName }}
                icon="person"
              >
                {m.address_book_open()}
              </LinkRow>
            </RowList>
          </>
        )}
      </QueryView>
    </Sheet>
  )
}
