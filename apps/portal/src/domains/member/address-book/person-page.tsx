import './address-book.css'
import { addressBook, type BookPersonDetail } from '@atrium/contract/member/address-book'
import { type ReactNode, useState } from 'react'
import { addRecipients } from '#domains/work/sending/draft.ts'
import { useRights } from '#domains/work/sending/sending-queries.ts'
import { saveFile } from '#lib/download.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { LinkRow } from '#shell/navigation/link-row.tsx'
import { navigate } from '#shell/navigation/navigation.ts'
import { useAction } from '#shell/page/action.ts'
import { Page } from '#shell/page/page.tsx'
import { useSearch } from '#shell/page/page-context.ts'
import { QueryView } from '#shell/page/query-view.tsx'
import { Bilingual } from '#ui/bilingual.tsx'
import { EmailAddress } from '#ui/email-address.tsx'
import { Sheet } from '#ui/feedback/dialog.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { IconButton } from '#ui/form/icon-button.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { Icon, type IconName } from '#ui/media/icon.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'
import { Pill } from '#ui/pill.tsx'
import { usePerson } from './book-queries.ts'
import { InGroups } from './own-groups.tsx'
import { PersonRow } from './person-row.tsx'
import { folded, vcardOf } from './vcard.ts'

/** A person of the institution: positions and contact details. */
export default function PersonPage() {
  const { accountName } = useSearch('/addressBook/person')
  const person = usePerson(accountName)
  const { data } = person
  return (
    <Page
      {...(data && { title: inLanguage(data.name, data.nameEn) })}
      onRefresh={() => person.refetch()}
      actions={data && !data.self ? <Star person={data} /> : undefined}
    >
      <div className="column stack">
        <QueryView
          query={person}
          skeleton={<Skeleton rows={4} height={110} label={m.shell_loading()} />}
        >
          {(one) => (
            <>
              <Head person={one} />
              <Contacts person={one} />
              <OtherPositions person={one} />
            </>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

function Star({ person: { accountName, favourite } }: { person: BookPersonDetail }) {
  const changed = [addressBook.person, addressBook.favourites]
  const queue = 'address-book-favourites'
  const add = useAction(addressBook.addFavourite, { invalidates: changed, queue })
  const remove = useAction(addressBook.removeFavourite, { invalidates: changed, queue })
  const { mutate, isPending } = favourite ? remove : add
  return (
    <IconButton
      label={m.address_book_favourite()}
      aria-pressed={favourite}
      disabled={isPending}
      onClick={() => mutate({ params: { accountName } })}
    >
      <Icon name={favourite ? 'star-filled' : 'star'} />
    </IconButton>
  )
}

function Head({ person }: { person: BookPersonDetail }) {
  const name = inLanguage(person.name, person.nameEn)
  return (
    <section className="card book-head">
      <Avatar name={name} url={person.portraitUrl} size={72} />
      <div className="book-head-words">
        <p className="book-head-name">
          <strong>{name}</strong>
          {person.leads ? <Pill tone="blue">{m.address_book_leads()}</Pill> : null}
        </p>
        <p>
          {person.title || person.titleEn ? (
            <>
              <Bilingual zh={person.title} en={person.titleEn} />
              {' · '}
            </>
          ) : null}
          <Bilingual zh={person.identityType} en={person.identityTypeEn} />
        </p>
        <p className="muted num">{m.address_book_number({ number: person.accountName })}</p>
      </div>
      <Actions person={person} />
      {person.self && !person.listed ? (
        <p className="book-note">
          {m.address_book_unlisted()}{' '}
          <Link to="/pages/privacy/privacySet">{m.address_book_unlisted_change()}</Link>
        </p>
      ) : null}
    </section>
  )
}

/** Actions for this person, one tap each. */
function Actions({ person }: { person: BookPersonDetail }) {
  const rights = useRights().data
  const [code, setCode] = useState(false)
  const [grouping, setGrouping] = useState(false)
  const { accountName, mobile, officePhone, email, hears, self } = person
  const name = inLanguage(person.name, person.nameEn)
  const phone = mobile ?? officePhone
  const mayWrite = !self && rights?.may === true && (hears || !rights.asMember)
  const write = () => {
    addRecipients({ accountName, name })
    navigate('/msgCenter/pages/onlineSend/index')
  }
  return (
    <ul className="book-actions">
      {phone && !self ? (
        <ContactLink icon="phone" text={m.address_book_call()} href={`tel:${phone}`} />
      ) : null}
      {mayWrite ? (
        <li className="book-action">
          <button type="button" onClick={write}>
            <Icon name="message" />
            {m.address_book_write()}
          </button>
        </li>
      ) : null}
      {email && !self ? (
        <ContactLink icon="mail" text={m.address_book_mail()} href={`mailto:${email}`} />
      ) : null}
      {self ? null : (
        <li className="book-action">
          <button type="button" onClick={() => setGrouping(true)}>
            <Icon name="people" />
            {m.address_book_group_put()}
          </button>
          <InGroups
            accountName={accountName}
            name={name}
            open={grouping}
            onClose={() => setGrouping(false)}
          />
        </li>
      )}
      <li className="book-action">
        <button type="button" onClick={() => setCode(true)}>
          <Icon name="qr" />
          {m.address_book_code()}
        </button>
        <Sheet
          open={code}
          onClose={() => setCode(false)}
          title={m.address_book_code_title({ name })}
        >
          <div className="book-code">
            <QrCode text={vcardOf(person)} label={m.address_book_code_title({ name })} />
            <p className="muted">{m.address_book_code_hint()}</p>
          </div>
        </Sheet>
      </li>
      <li className="book-action">
        <button
          type="button"
          onClick={() =>
            saveFile(
              new Blob([folded(vcardOf(person))], { type: 'text/vcard;charset=utf-8' }),
              `${person.name}.vcf`,
            )
          }
        >
          <Icon name="download" />
          {m.address_book_keep()}
        </button>
      </li>
    </ul>
  )
}

const ContactLink = ({ icon, text, href }: { icon: IconName; text: string; href: string }) => (
  <li className="book-action">
    <a href={href}>
      <Icon name={icon} />
      {text}
    </a>
  </li>
)

function Contacts({ person }: { person: BookPersonDetail }) {
  const { mobile, officePhone, email, office, path } = person
  const own = path[path.length - 1]
  return (
    <>
      <RowList label={m.address_book_contacts()} values="below">
        {mobile ? (
          <ContactRow
            icon="mobile"
            text={m.address_book_mobile()}
            value={mobile}
            href={`tel:${mobile}`}
          />
        ) : null}
        {officePhone ? (
          <ContactRow
            icon="phone"
            text={m.address_book_office_phone()}
            value={officePhone}
            href={`tel:${officePhone}`}
          />
        ) : null}
        {email ? (
          <ContactRow
            icon="mail"
            text={m.address_book_email()}
            value={<EmailAddress address={email} />}
            href={`mailto:${email}`}
          />
        ) : null}
        {office ? (
          <li className="list-row">
            <RowContent icon="place" value={<Bilingual zh={office} en={person.officeEn ?? ''} />}>
              {m.address_book_office()}
            </RowContent>
          </li>
        ) : null}
        {own ? (
          <LinkRow
            to="/addressBook/addressList"
            search={{ orgId: own.id }}
            icon="building"
            value={path.map((place) => inLanguage(place.name, place.nameEn)).join(' / ')}
          >
            {m.address_book_organization()}
          </LinkRow>
        ) : null}
      </RowList>
      {mobile || email || officePhone ? null : (
        <p className="muted book-hint">
          {person.self ? m.address_book_no_contacts_self() : m.address_book_no_contacts()}
        </p>
      )}
    </>
  )
}

type ContactRowProps = { icon: IconName; text: string; value: ReactNode; href: string }

const ContactRow = ({ icon, text, value, href }: ContactRowProps) => (
  <li>
    <a className="list-row" href={href}>
      <RowContent icon={icon} value={<span className="num">{value}</span>}>
        {text}
      </RowContent>
    </a>
  </li>
)

/** The same person's other accounts. */
function OtherPositions({ person: { others } }: { person: BookPersonDetail }) {
  if (others.length === 0) return null
  return (
    <section>
      <h2 className="book-heading">{m.address_book_others()}</h2>
      <ul className="book-people" aria-label={m.address_book_others()}>
        {others.map((one) => (
          <li key={one.accountName}>
            <PersonRow person={one} place />
          </li>
        ))}
      </ul>
    </section>
  )
}
