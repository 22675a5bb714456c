import type { Reply } from '@atrium/contract/define'
import type { schedule } from '@atrium/contract/work/schedule'
import { dayIn } from '@atrium/rules/day-in'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { callContainer } from '#shell/container/container.ts'
import { ContainerError } from '#shell/container/events.ts'
import { toast } from '#ui/feedback/toast.tsx'

/** Adds this occurrence to the device's calendar, which may ask the user for confirmation. */
export async function addToDeviceCalendar(event: Reply<typeof schedule.read>) {
  const { title, titleEn, allDay, timeZone, startsAt, endsAt, description } = event
  const place = inLanguage(event.location, event.locationEn)
  const day = (moment: number) => dayIn(new Date(moment), timeZone)
  const times = allDay
    ? { startsAt: day(Date.parse(startsAt)), endsAt: day(Date.parse(endsAt) - 1) }
    : { startsAt, endsAt }
  try {
    await callContainer('addCalendar', {
      title: inLanguage(title, titleEn),
      ...times,
      ...(place && { place }),
      ...(description && { note: description }),
    })
  } catch (error) {
    const refused = error instanceof ContainerError && error.reason === 'refused'
    if (!refused) toast(m.schedule_keep_failed())
  }
}
