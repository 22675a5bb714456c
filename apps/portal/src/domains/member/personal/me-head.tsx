import type { Profile } from '@atrium/contract/member/personal'
import { useECard } from '#domains/member/personal-sources/personal-sources-queries.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { read } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { Link } from '#shell/navigation/link.tsx'
import { Facts } from '#ui/facts.tsx'
import { Avatar } from '#ui/media/avatar.tsx'
import { Pill } from '#ui/pill.tsx'
import { useProfile } from './personal-queries.ts'

const numberOf = ({ number = '', identityLabel }: Profile) =>
  identityLabel === 'student'
    ? m.personal_student_number({ number })
    : m.personal_staff_number({ number })

/** The signed-in member. The name comes from the session immediately; the rest follows. */
export function MeHead() {
  const session = useSession()
  const { data, isError, refetch } = useProfile()
  const card = useECard()
  const name = data ? inLanguage(data.userName, data.userNameEn) : (session?.name ?? '')
  const info = read('myInfo')
  const storedName = info?.accountId === session?.accountId ? info?.organizationName : ''
  const place = data ? inLanguage(data.organizationName, data.organizationNameEn) : storedName
  return (
    <header className="me-head">
      <Link to="/pages/myInfo/myInfo" className="me-head-link">
        <Avatar name={name} url={data?.portraitUrl ?? ''} />
        <span className="me-head-text">
          <span className="me-head-who">
            <h1 className="me-head-name">{name}</h1>
            {data ? (
              <Pill>{inLanguage(data.identityTypeName, data.identityTypeNameEn)}</Pill>
            ) : null}
          </span>
          <span className="muted num">
            <Facts
              of={[data?.number ? numberOf(data) : (data?.accountName ?? session?.username), place]}
            />
          </span>
        </span>
      </Link>
      {/* If the card failed too, its message covers both. */}
      {isError && !data && !card.isError ? (
        <button type="button" className="me-head-retry" onClick={() => void refetch()}>
          {m.personal_profile_failed()}
        </button>
      ) : null}
    </header>
  )
}
