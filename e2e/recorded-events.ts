import type { Page } from '@playwright/test'

/** Events the page has recorded on the server, as confirmed by the server. */
export function recordedEvents(page: Page) {
  const accepted: string[] = []
  const add = (sent: { eventCode: string; eventOpeartionResult: string }[]) =>
    accepted.push(
      ...sent.map(({ eventCode, eventOpeartionResult: result }) =>
        result === 'failure' ? `${eventCode} failed` : eventCode,
      ),
    )
  page.on('response', async (response) => {
    if (!response.url().endsWith('/portal-api/v1/event')) return
    const sent = response.request().postDataJSON() as Parameters<typeof add>[0]
    const { data } = await response.json()
    if (data.accepted === sent.length) add(sent)
  })
  return accepted
}
