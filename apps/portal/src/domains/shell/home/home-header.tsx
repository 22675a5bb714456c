import { dayIn } from '@atrium/rules/day-in'
import { teachingWeek } from '@atrium/rules/teaching-week'
import '#ui/form/search-field.css'
import '#ui/form/icon-button.css'
import type { Home } from '@atrium/contract/shell/home'
import { useEffect, useState } from 'react'
import { ScanEntry } from '#domains/shell/scan/scan-entry.tsx'
import { formatWeekday } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useUnread } from '#shell/badge.ts'
import { useSearchWord, useSettings, useSystem } from '#shell/config.ts'
import { Link } from '#shell/navigation/link.tsx'
import { signIn } from '#shell/sign-in/sign-in.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { PictureWithFallback } from '#ui/media/picture-with-fallback.tsx'
import { minuteOfDay } from './home-focus.ts'
import { timeOfDay } from './today.ts'

/** The institution, a greeting, the date, and links to messages and search. */
export function HomeHeader({ home, now }: { home: Home | undefined; now: number }) {
  const session = useSession()
  const { school } = useSystem()
  const { isShowMessage, isShowRobot, isOpenGlobalSearch, ENV_ALIYUN } = useSettings()
  const searchWord = useSearchWord()
  return (
    <header className={session ? 'hero' : 'hero hero-visitor'}>
      <div className="column">
        <div className="hero-top">
          <Crest />
          <span className="hero-school">{school}</span>
          <span className="hero-entries">
            <ScanEntry />
            {session && isShowRobot !== '0' ? <RobotEntry smart={ENV_ALIYUN === '1'} /> : null}
            {session && isShowMessage !== '0' ? <MessagesEntry /> : null}
          </span>
        </div>
        <h1 className="hero-greeting">
          {greeting(
            session ? nameOf(home, session.name) : '',
            // In the member's time zone, once it is known.
            home ? Math.floor(minuteOfDay(now, home.timeZone) / 60) : new Date(now).getHours(),
          )}
        </h1>
        <p className="hero-facts num">
          {factsOf(home, now).map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
        {session ? null : (
          <div className="hero-sign-in">
            <p>{m.home_visitor()}</p>
            <Button kind="plain" onClick={() => signIn()}>
              {m.shell_sign_in()}
            </Button>
          </div>
        )}
        <Link
          className="search-field hero-search"
          to={isOpenGlobalSearch === '0' ? '/pages/service/search' : '/pages/search/wholeSearch'}
        >
          <Icon name="search" />
          <span className="one-line">{hintOf(home, now) || searchWord || m.home_search()}</span>
        </Link>
      </div>
    </header>
  )
}

/** The institution's logo, or the first letter of its name as a drawing. */
function Crest() {
  const { school, logoUrl } = useSystem()
  const drawn = (
    <svg className="crest" viewBox="0 0 32 32" width={32} height={32} aria-hidden="true">
      <circle cx="16" cy="16" r="16" />
      <circle className="crest-ring" cx="16" cy="16" r="13.2" />
      <text x="16" y="16" dy="0.36em">
        {[...school][0]}
      </text>
    </svg>
  )
  // Load the logo last, since everything else is more important; its space is reserved.
  const [isLate, setIsLate] = useState(false)
  useEffect(() => setIsLate(true), [])
  if (logoUrl && !isLate) return <span className="crest" />
  const picture = { src: logoUrl, width: 32, height: 32, fetchPriority: 'low' } as const
  return <PictureWithFallback className="crest" {...picture} fallback={drawn} />
}

function RobotEntry({ smart }: { smart: boolean }) {
  return (
    <Link
      className="icon-button hero-messages"
      to={smart ? '/pages/robot/AI' : '/pages/robot/robot'}
    >
      <Icon name="chat" label={smart ? m.home_assistant() : m.home_robot()} />
    </Link>
  )
}

function MessagesEntry() {
  const unread = useUnread()
  return (
    <Link className="icon-button hero-messages" to="/pages/msgCenterTab/newtask/newtask">
      <Icon name="bell" label={m.home_messages()} />
      {unread > 0 ? <Badge count={unread} label={m.shell_unread({ count: unread })} /> : null}
    </Link>
  )
}

/** One of the searches common among similar members; changes daily, so that it is stable while shown. */
function hintOf(home: Home | undefined, now: number) {
  const hints = home?.hints ?? []
  const hint = hints[Math.floor(now / 86_400_000) % hints.length]
  return hint && m.home_search_hint({ hint: inLanguage(hint.text, hint.textEn) })
}

const nameOf = (home: Home | undefined, name: string) =>
  home?.who ? inLanguage(home.who.userName, home.who.userNameEn) : name

function greeting(name: string, hour: number) {
  const words = {
    morning: m.home_morning(),
    noon: m.home_noon(),
    afternoon: m.home_afternoon(),
    evening: m.home_evening(),
    night: m.home_night(),
  }[timeOfDay(hour)]
  return name ? m.home_greeting({ words, name }) : words
}

/**
 * Week 12, Monday · Student · School of Computing. Public facts come first: the server has painted them, and they stay
 * in place when the rest arrives.
 */
function factsOf(home: Home | undefined, now: number): string[] {
  if (!home) return ['\u00a0']
  const { who, term, timeZone } = home
  const week = teachingWeek(dayIn(now, timeZone), term)
  const today = formatWeekday(now, timeZone)
  const facts = [
    week === undefined ? today : m.home_week({ week, day: today }),
    who && inLanguage(who.identityTypeName, who.identityTypeNameEn),
    who && inLanguage(who.organizationName, who.organizationNameEn),
  ]
  return [...new Set(facts.flatMap((fact) => fact || []))]
}
