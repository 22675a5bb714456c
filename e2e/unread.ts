import { type MessageApp, messages } from '@atrium/contract/work/messages'
import type { APIRequestContext, Locator } from '@playwright/test'
import { idToken, type Username } from './session.ts'

/**
 * The expected number of unread messages: those of every application that is not muted. Other tests write to the same
 * accounts concurrently, so pages are compared with this rather than with an earlier count.
 */
export async function unreadInList(
  request: APIRequestContext,
  url: string | undefined,
  username: Username,
) {
  const answer = await request.get(messages.apps.path, {
    headers: { 'x-id-token': await idToken(url ?? '', username) },
  })
  const apps: MessageApp[] = (await answer.json()).data
  return apps.reduce((sum, app) => sum + (app.disturbed ? 0 : app.unreadCount), 0)
}

/** The number in a text such as "消息 3"; 0 if there is none or the element is missing. */
export async function numberIn(place: Locator) {
  const [text] = await place.allTextContents()
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0)
}
