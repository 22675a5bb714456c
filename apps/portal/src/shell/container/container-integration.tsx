import { figures } from '@atrium/rules/figures'
import { type ReactNode, useEffect } from 'react'
import { environment } from '#lib/environment.ts'
import { getSession, useSession } from '#lib/session.ts'
import { watchVersion } from '#shell/navigation/new-version.ts'
import { useBadge } from '../badge.ts'
import { startLiveUpdates } from '../live.ts'
import { serveNotifications } from '../notifications.ts'
import { notifyContainer, openContainer } from './container.ts'
import { signInByHost } from './host-sign-in.ts'
import { useSavedIcons } from './saved-icons.ts'
import { Shaking } from './shaking.tsx'

/**
 * Everything that runs between the app and the program around it. Loaded after the first screen, which does not need
 * it.
 */
export default function ContainerIntegration(): ReactNode {
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
 * Makes the app installable and its shell available offline. Not in development, and not inside a frame, whose page
 * belongs to somebody else.
 */
function useInstallation() {
  useEffect(() => {
    if (!import.meta.env.PROD || window.top !== window) return
    // Added here rather than in index.html, so that the first screen does not wait for it.
    const manifest = document.createElement('link')
    manifest.rel = 'manifest'
    manifest.href = '/manifest.webmanifest'
    document.head.append(manifest)
    navigator.serviceWorker?.register('/service-worker.js').catch(() => {})
    return () => manifest.remove()
  }, [])
}

/** Active from sign-in to sign-out. */
function useLiveMessages() {
  const accountId = useSession()?.accountId
  useEffect(() => (accountId ? startLiveUpdates() : undefined), [accountId])
}

/** Connects to the host app early, so that later requests are answered quickly, and signs in as the host app's user. */
function useHost() {
  useEffect(() => {
    openContainer().catch(() => {})
    if (environment.container === 'superApp' && !getSession()) signInByHost().catch(() => {})
  }, [])
}

/** Shows the tab bar's number on the app icon. The tab bar fetches it. */
function useIconBadge() {
  const { unread, todo } = useBadge()
  const badgeCount = Math.min(unread + todo, figures.badgeMax)
  useEffect(() => {
    notifyContainer('sysSetBadge', { badgeCount })
  }, [badgeCount])
}
