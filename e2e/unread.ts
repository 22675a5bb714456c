import { type MessageApp, messages } from '@atrium/contract/work/messages'
import type { APIRequestContext, Locator } from '@playwright/test'
import { idToken, type Username } from './session.ts'

/**
 * What a count of unread messages ought to be: the unread messages of every application that is not muted. Tests at the
 * same time write to the same accounts, so what a page shows is held against this and not against what it showed before.
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

/** The number in a text such as "消息 3"; 0 without one, or where the place is not shown. */
export async function numberIn(place: Locator) {
  const [text] = await place.allTextContents()
  return Number(/\d+/.exec(text ?? '')?.[0] ?? 0)
}
