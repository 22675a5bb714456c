import './pay-code-page.css'
import { codeSeconds, eCard } from '@atrium/contract/member/e-card'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Failed } from '#ui/feedback/failed.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { Button } from '#ui/form/button.tsx'
import { Icon } from '#ui/media/icon.tsx'
import { QrCode } from '#ui/media/qr-code.tsx'
import { usePayCodes } from './pay-codes.ts'

/** Milliseconds between polls for whether a terminal has read the code. */
const pollInterval = 3000

/** A code for paying and identification: large, on white in every scheme; keeps the screen on. */
export default function PayCodePage() {
  const { stored, current, failure, retry } = usePayCodes()
  useAwake()
  return (
    <Page>
      <div className="column stack">
        <section className={current ? 'pay-code' : 'card'} aria-label={m.e_card_code_title()}>
          {current && stored ? (
            <>
              <p className="pay-code-purpose">
                {stored.mayPay ? m.e_card_code_both() : m.e_card_code_identity()}
              </p>
              <QrCode text={current.code} label={m.e_card_code_picture()} />
              <p className="pay-code-digits num">{current.code.replace(/(\d{4})(?=\d)/g, '$1 ')}</p>
              <div className="pay-code-time" aria-hidden="true">
                <span style={{ width: `${(current.left / codeSeconds) * 100}%` }} />
              </div>
              <p className="pay-code-note num">
                {failure
                  ? m.e_card_code_offline({ count: Math.max(1, Math.floor(current.lasts / 60)) })
                  : m.e_card_code_next({ count: current.left })}
              </p>
            </>
          ) : failure?.code === 'ecard.frozen' ? (
            <Empty
              icon="lock"
              title={failure.message}
              action={
                <Button onClick={() => navigate('/pages/myInfo/eCard')}>{m.e_card_title()}</Button>
              }
            />
          ) : failure || stored ? (
            <Failed
              offline={failure?.status === 0}
              text={failure?.message ?? m.e_card_code_none()}
              onRetry={() => void retry()}
            />
          ) : (
            <Skeleton height={360} label={m.shell_loading()} />
          )}
        </section>
        <LastUse />
        <p className="muted pay-code-hint">{m.e_card_code_hint()}</p>
      </div>
    </Page>
  )
}

/** Reports as soon as a terminal has read the code. */
function LastUse() {
  const [since] = useState(() => Date.now())
  const { data = [] } = useQuery({ ...q(eCard.uses), refetchInterval: pollInterval, staleTime: 0 })
  const last = data[0]
  const isNew = last !== undefined && Date.parse(last.at) > since - 1000
  const place = last && (last.place || inLanguage(last.system, last.systemEn))
  return (
    <div role="status">
      {isNew && place !== undefined ? (
        <p className="pay-code-used">
          <Icon name="check" />
          {last.purpose === 'pay'
            ? m.e_card_used_pay({ place, time: formatTime(last.at) })
            : m.e_card_used_identity({ place, time: formatTime(last.at) })}
        </p>
      ) : null}
    </div>
  )
}

/** Keeps the screen on if the browser supports it. */
function useAwake() {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let isUnmounted = false
    const requestLock = () => {
      if (document.visibilityState !== 'visible') return
      // Missing in old webviews.
      const request = (navigator as Partial<Pick<Navigator, 'wakeLock'>>).wakeLock?.request(
        'screen',
      )
      request?.then(
        (acquired) => {
          if (isUnmounted) void acquired.release()
          else lock = acquired
        },
        () => {},
      )
    }
    requestLock()
    document.addEventListener('visibilitychange', requestLock)
    return () => {
      isUnmounted = true
      document.removeEventListener('visibilitychange', requestLock)
      void lock?.release()
    }
  }, [])
}
