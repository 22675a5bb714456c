import './opening-page.css'
import type { OpeningPage as Item } from '@atrium/contract/shell/launch'
import { contentKind } from '@atrium/rules/opening-page'
import { useEffect, useState } from 'react'
import { inLanguage } from '#lib/language.ts'
import { getSession, useSession } from '#lib/session.ts'
import { read, write } from '#lib/storage.ts'
import { m } from '#paraglide/messages.js'
import { openAddress, performNavigation } from '#shell/navigation/navigation.ts'
import { homePath } from '#shell/navigation/screens.ts'

const toHome = () => performNavigation('relaunch', homePath())

/** Shows the due opening pages one after the other, then home. */
export default function OpeningPage() {
  const signedIn = useSession() !== null
  const [items] = useState(() => read(signedIn ? 'opnePageList' : 'touristOpnePageList') ?? [])
  const [index, setIndex] = useState(0)
  const item = items[index]
  const next = () => (index + 1 < items.length ? setIndex(index + 1) : toHome())
  useEffect(() => {
    if (item) countShown(item.id)
    else toHome()
  }, [item])
  return item ? <OpeningItem key={item.id} item={item} onNext={next} /> : null
}

function OpeningItem({ item, onNext }: { item: Item; onNext: () => void }) {
  const secondsLeft = useCountdown(item.seconds, onNext)
  const title = inLanguage(item.title, item.titleEn)
  const open = () => {
    toHome()
    if (item.link) openAddress(item.link)
  }
  return (
    <main className="opening" id="main">
      <h1 className="unseen">{title}</h1>
      {contentKind(item.contentUrl) === 'image' ? (
        <>
          <img className="opening-behind" src={item.contentUrl} alt="" />
          <img className="opening-content" src={item.contentUrl} alt={title} onError={onNext} />
        </>
      ) : (
        <video
          className="opening-content"
          src={item.contentUrl}
          aria-label={title}
          autoPlay
          muted
          playsInline
          onError={onNext}
        />
      )}
      <button type="button" className="opening-skip num" onClick={toHome}>
        {m.shell_opening_skip({ seconds: secondsLeft })}
      </button>
      {item.link ? (
        <button type="button" className="opening-more" onClick={open}>
          {m.shell_opening_more()}
        </button>
      ) : null}
    </main>
  )
}

/** Seconds left; calls `onEnd` at zero. Pauses while the page is hidden. */
function useCountdown(seconds: number, onEnd: () => void) {
  const [left, setLeft] = useState(seconds)
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setLeft((now) => now - 1)
    }, 1000)
    return () => clearInterval(timer)
  }, [])
  useEffect(() => {
    if (left <= 0) onEnd()
  }, [left, onEnd])
  return Math.max(left, 0)
}

function countShown(id: string) {
  write('openPageids', [...(read('openPageids') ?? []), id])
  const account = getSession()?.accountId ?? ''
  const shown = read('opnePageFrequency') ?? {}
  write('opnePageFrequency', { ...shown, [account]: [...(shown[account] ?? []), id] })
}
