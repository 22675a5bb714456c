import './me-page.css'
import { useEffect, useState } from 'react'
import { useNewCount } from '#domains/content/news/new-count.ts'
import { CardTile } from '#domains/member/e-card/card-tile.tsx'
import { OwnDataRows } from '#domains/member/personal-sources/own-data-rows.tsx'
import { useIsAvailabilityKnown } from '#domains/member/personal-sources/personal-sources-queries.ts'
import { recordEvent } from '#lib/events.ts'
import { getLanguage, setLanguage } from '#lib/language.ts'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings, useSystem } from '#shell/config.ts'
import { HrefRow, LinkRow } from '#shell/navigation/link-row.tsx'
import { Page } from '#shell/page/page.tsx'
import { SignInPrompt } from '#shell/sign-in/sign-in-prompt.tsx'
import { Badge } from '#ui/badge.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { RowContent, RowList } from '#ui/list-row.tsx'
import { MeHead } from './me-head.tsx'
import { useOwnPermissions, useProfile } from './personal-queries.ts'
import { SignOut } from './sign-out.tsx'

export default function MePage() {
  return useSession() ? <MemberPage /> : <VisitorPage />
}

function MemberPage() {
  // Effects run again when a tab is shown again.
  useEffect(() => recordEvent('personalCenter'), [])
  const { isShowFavorite, isShowFeedback, isShowSafeSet } = useSettings()
  const complete = useComplete()
  if (!complete)
    return (
      <Page bare>
        <div className="column stack me-column">
          <MeHead />
          {[132, 112, 336].map((height) => (
            <Skeleton key={height} height={height} label={m.shell_loading()} />
          ))}
        </div>
      </Page>
    )
  return (
    <Page bare>
      <div className="column stack me-column">
        <MeHead />
        <OwnCard />
        <OwnDataRows />
        <RowList>
          <LinkRow to="/pages/myInfo/myInfo" icon="person">
            {m.personal_profile()}
          </LinkRow>
          {isShowFavorite === '1' ? (
            <LinkRow to="/pagesA/myFavorite/myFavorite" icon="star">
              {m.favourites_title()}
            </LinkRow>
          ) : null}
          <LinkRow to="/pagesA/newsHistory/newsHistory" icon="history">
            {m.history_title()}
          </LinkRow>
          <LinkRow to="/pages/shedul/timeArea" icon="clock">
            {m.personal_time_zone()}
          </LinkRow>
          {isShowSafeSet === '1' ? (
            <LinkRow to="/pagesA/safeSet/safeSet" icon="shield">
              {m.account_title()}
            </LinkRow>
          ) : null}
          <LinkRow
            to="/pages/set/set"
            icon="gear"
            value={getLanguage() === 'zh' ? m.personal_chinese() : m.personal_english()}
          >
            {m.personal_settings()}
          </LinkRow>
        </RowList>
        <RowList label={m.personal_campus()}>
          <LinkRow to="/study-center/pages/studyCenter/studyCenter" icon="graduation">
            {m.study_title()}
          </LinkRow>
          <NewsRow />
          <LinkRow to="/msgCenter/pages/news/throughTrain" icon="mail">
            {m.mailbox_page_title()}
          </LinkRow>
          {isShowFeedback === '1' ? (
            <LinkRow to="/pages/myInfo/suggest" icon="chat">
              {m.feedback_title()}
            </LinkRow>
          ) : null}
          <MapRow />
        </RowList>
        <Workbench />
        <Institution />
        <SignOut />
      </div>
    </Page>
  )
}

/** Rendering rows one by one would move what is below from under a finger: show them together, or after a second. */
function useComplete() {
  const atHand = useIsAvailabilityKnown()
  const isConfigured = useSettings().isShowSafeSet !== undefined
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), maxWait)
    return () => clearTimeout(timer)
  }, [])
  // Once shown, the rows stay, even while something is refetched.
  const [complete, setComplete] = useState(false)
  const now = complete || isLate || (atHand && isConfigured)
  if (now !== complete) setComplete(now)
  return now
}
const maxWait = 1000

/** Also retries the profile if it failed. */
function OwnCard() {
  const profile = useProfile()
  return <CardTile onRetry={() => void (profile.isError && profile.refetch())} />
}

function VisitorPage() {
  const next = getLanguage() === 'zh' ? 'en' : 'zh'
  return (
    <Page>
      <div className="column stack">
        <div className="card">
          <SignInPrompt icon="me" title={m.personal_visitor_title()}>
            {m.personal_visitor_text()}
          </SignInPrompt>
        </div>
        <RowList>
          <li>
            <button
              type="button"
              id="other-language"
              className="list-row"
              lang={next === 'zh' ? 'zh-CN' : 'en'}
              onClick={() => setLanguage(next)}
            >
              <RowContent icon="language" leads>
                {next === 'zh' ? m.personal_chinese() : m.personal_english()}
              </RowContent>
            </button>
          </li>
          <MapRow />
        </RowList>
        <Institution />
      </div>
    </Page>
  )
}

/** The news tab, with the number of new articles. */
function NewsRow() {
  const { newsRoute = '/pages/msgCenterTab/news/news' } = useSettings()
  const { count, more } = useNewCount()
  return (
    <HrefRow
      href={newsRoute}
      icon="news"
      value={
        count > 0 ? (
          <Badge
            text={more ? `${count}+` : String(count)}
            label={m.personal_news_new({ count: more ? `${count}+` : count })}
          />
        ) : null
      }
    >
      {m.news_own()}
    </HrefRow>
  )
}

const MapRow = () => (
  <LinkRow to="/pages/map/places" icon="map">
    {m.system_places_near()}
  </LinkRow>
)

/** For operators who write for a department or send messages, if the institution has turned it on. */
function Workbench() {
  const permissions = useOwnPermissions()
  const writes = permissions.includes('content')
  const works = permissions.some((one) => one !== 'send' && one !== 'identity')
  const sends = permissions.includes('send')
  if (!works && !sends) return null
  return (
    <RowList label={m.editorial_entries()}>
      {works ? (
        <LinkRow to="/pages/secondWork/secondWorkIndex" icon="briefcase">
          {m.workbench_title()}
        </LinkRow>
      ) : null}
      {writes ? (
        <>
          <LinkRow to="/pages/secondWork/news/news" icon="edit">
            {m.editorial_news_title()}
          </LinkRow>
          <LinkRow to="/pages/secondWork/gonggao/gonggaoList" icon="speaker">
            {m.editorial_announcements_title()}
          </LinkRow>
        </>
      ) : null}
      {sends ? (
        <LinkRow to="/pages/tab/onlineSend/index" icon="message">
          {m.sending_title()}
        </LinkRow>
      ) : null}
    </RowList>
  )
}

/** The institution's texts, as far as turned on. */
function Institution() {
  const { isShowProtocol, isShowAboutUs } = useSettings()
  const { school } = useSystem()
  if (isShowProtocol !== '1' && isShowAboutUs !== '1') return null
  return (
    <RowList>
      {isShowProtocol === '1' ? (
        <>
          <LinkRow to="/pages/privacyPolicy/agreement" icon="contract">
            {m.personal_agreement()}
          </LinkRow>
          <LinkRow to="/pages/privacyPolicy/index" icon="shield">
            {m.personal_privacy()}
          </LinkRow>
        </>
      ) : null}
      {isShowAboutUs === '1' ? (
        <LinkRow to="/pages/about/about" icon="info">
          {m.personal_about_school({ school })}
        </LinkRow>
      ) : null}
    </RowList>
  )
}
