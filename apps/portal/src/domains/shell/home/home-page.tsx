import './home-page.css'
import { type Home, type HomeBlock, homeBlocks } from '@atrium/contract/shell/home'
import { dayIn } from '@atrium/rules/day-in'
import { figures } from '@atrium/rules/figures'
import { Fragment, lazy, Suspense, useDeferredValue, useEffect, useState } from 'react'
import { useSession } from '#lib/session.ts'
import { m } from '#paraglide/messages.js'
import { useSettings } from '#shell/config.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Card } from '#ui/card.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { HomeHeader } from './home-header.tsx'
import { HomeNews } from './home-news.tsx'
import { useHome } from './home-queries.ts'
import { MemberCards } from './member-cards.tsx'
import { Notices } from './notices.tsx'
import { nextOperation } from './operations.ts'
import { OperationsCard } from './operations-card.tsx'
import { PartFailed } from './part-failed.tsx'
import { QuickServices } from './quick-services.tsx'
import { TodayCard } from './today-card.tsx'
import { TodoCard } from './todo-card.tsx'

// Loaded after the first screen without blocking it; its space is reserved.
const Slideshow = lazy(() => import('./slideshow.tsx'))

/** Rendering on the server (paint/home.tsx), where no member's data is known: their space is reserved. */
const isPainting = import.meta.env.SSR && !import.meta.env.VITEST
type Block = HomeBlock['block']
/** With the day above them, these blocks fill a phone's screen. */
const firstBlocks = 3

export default function HomePage() {
  const home = useHome()
  const member = useSession() !== null
  const now = useServerNow(home.data?.now, home.dataUpdatedAt)
  const retry = () => void home.refetch()
  const { data, refetch } = home
  const slides = useSlides(data !== undefined)
  const { onlineActShowTimes: times } = useSettings()
  // Initial value of the card's notice, computed here so that home is not rendered twice.
  const [special, setOnCard] = useState(() =>
    data?.notices ? nextOperation(data.notices, times)?.id : undefined,
  )
  // A member's cards fill a phone's screen: the content below is rendered after them, and its pictures load later.
  const below = useDeferredValue(true, !member)
  // Refetch when a new day has begun.
  const today = data ? dayIn(now, data.timeZone) : ''
  const stale = data !== undefined && dayIn(Date.parse(data.now), data.timeZone) !== today
  useEffect(() => {
    if (stale && today) void refetch()
  }, [stale, today, refetch])
  const blockOf = (block: Block, data: Home) => {
    switch (block) {
      case 'quick':
        return <QuickServices list={data.quick} onRetry={retry} />
      case 'slides':
        return slides ? (
          <Suspense fallback={<div className="slideshow" />}>
            <Slideshow />
          </Suspense>
        ) : null
      case 'todo':
        return member && isPainting ? (
          <Skeleton height={140} label={m.shell_loading()} />
        ) : member ? (
          <TodoCard todo={data.todo} zone={data.timeZone} now={now} onRetry={retry} />
        ) : null
      case 'cards':
        return member ? <MemberCards cards={data.cards} /> : null
      case 'notices':
        return data.notices ? (
          <Notices notices={data.notices.filter(({ id }) => id !== special)} />
        ) : (
          <Card title={m.home_notices()}>
            <PartFailed onRetry={retry} />
          </Card>
        )
      case 'news':
        return <HomeNews news={data.news} onRetry={retry} />
    }
  }
  return (
    <Page bare onRefresh={home.refetch}>
      <HomeHeader home={data} now={now} />
      <div className={`column home-content stack ${member ? 'home-member' : ''}`}>
        <QueryView
          query={slides === undefined && data ? { ...home, data: undefined, isError: false } : home}
          skeleton={<HomeSkeleton member={member} />}
        >
          {(data: Home) => (
            <div className="stack">
              {member ? (
                stale || isPainting ? (
                  <Skeleton height={146} label={m.shell_loading()} />
                ) : (
                  <TodayCard
                    list={data.today}
                    changes={data.changes}
                    tomorrow={data.tomorrow}
                    canteens={data.canteens}
                    places={data.places}
                    zone={data.timeZone}
                    now={now}
                    onRetry={retry}
                  />
                )
              ) : null}
              {data.notices && (data.blocks ?? homeBlocks).includes('notices') ? (
                <OperationsCard notices={data.notices} reportedId={special} onShow={setOnCard} />
              ) : null}
              {(data.blocks ?? homeBlocks).map((block, place) =>
                place < firstBlocks || below ? (
                  <Fragment key={block}>{blockOf(block, data)}</Fragment>
                ) : null,
              )}
            </div>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

/**
 * Whether slides are shown; undefined while unknown, so that they push nothing down under a finger. If the
 * configuration arrives much later than the content, there are none.
 */
function useSlides(contentIsHere: boolean) {
  const { ENV_ENABLE_SLIDESHOW: setting } = useSettings()
  const [decided, decide] = useState(setting === undefined ? undefined : setting === '1')
  useEffect(() => {
    if (setting !== undefined) return decide((before) => before ?? setting === '1')
    if (!contentIsHere) return
    const timer = setTimeout(() => decide(false), figures.loadingMinimum)
    return () => clearTimeout(timer)
  }, [setting, contentIsHere])
  return decided && setting !== '0'
}

/** The server's time, advanced by the device's clock: countdowns are right even if the device's clock is wrong. */
function useServerNow(serverNow: string | undefined, answeredAt: number) {
  const [device, setDevice] = useState(Date.now)
  useEffect(() => {
    // Update when the tab is shown again, but not right after the first render.
    setDevice((current) => (Date.now() - current < 1000 ? current : Date.now()))
    const timer = setInterval(() => setDevice(Date.now()), 15_000)
    return () => clearInterval(timer)
  }, [])
  return serverNow ? device + Date.parse(serverNow) - answeredAt : device
}

/** As tall as the expected content. */
function HomeSkeleton({ member }: { member: boolean }) {
  const heights = member ? [146, 194, 140, 78, 320] : [194, 44, 320]
  return (
    <>
      {heights.map((height) => (
        <Skeleton key={height} height={height} label={m.shell_loading()} />
      ))}
    </>
  )
}
