import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect } from 'react'
import { environment } from '#lib/environment.ts'
import { getSession, useSession } from '#lib/session.ts'
import { watchVersion } from '#shell/navigation/new-version.ts'
import { useBadge } from '../badge.ts'
import { followMessages } from '../live.ts'
import { serveNotifications } from '../notifications.ts'
import { openContainer, tell } from './container.ts'
import { signInByHost } from './host-sign-in.ts'
import { useSavedIcons } from './saved-icons.ts'
import { Shaking } from './shaking.tsx'

/**
 * What goes on between the app and the program around it as long as it runs. Comes after the first screen, which does not
 * need it.
 */
export default function Surroundings(): ReactNode {
  useInstallation()
  useEffect(watchVersion, [])
  useLiveMessages()
  useEffect(serveNotifications, [])
  useHost()
  useIconBadge()
  useSavedIcons()
  return <Shaking />
}

/**
 * The app can be installed, and its shell opens without a network from then on. Not while developing, and not in a frame,
 * whose page is somebody else's.
 */
function useInstallation() {
  useEffect(() => {
    if (!import.meta.env.PROD || window.top !== window) return
    // Named here rather than in the page: the first screen does not wait for it.
    const manifest = document.createElement('link')
    manifest.rel = 'manifest'
    manifest.href = '/manifest.webmanifest'
    document.head.append(manifest)
    navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
    return () => manifest.remove()
  }, [])
}

/** From a member's sign-in to its end. */
function useLiveMessages() {
  const accountId = useSession()?.accountId
  useEffect(() => (accountId ? followMessages() : undefined), [accountId])
}

/** Says hello early, so that later questions are answered at once, and comes in as whoever the host app knows. */
function useHost() {
  useEffect(() => {
    openContainer().catch(() => {})
    if (environment.container === 'superApp' && !getSession()) signInByHost().catch(() => {})
  }, [])
}

/** The number on the app's icon is the number on the tab bar; the tab bar asks for it. */
function useIconBadge() {
  const { unread, todo } = useBadge()
  const badgeCount = Math.min(unread + todo, figures.badgeMax)
  useEffect(() => {
    tell('sysSetBadge', { badgeCount })
  }, [badgeCount])
}
