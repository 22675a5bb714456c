import { answerInvitation } from '#domains/work/appointments/answer.ts'
import { addressKey, isAddressOf, readAddress } from '#domains/work/caldav-scheduling/addresses.ts'
import { addressIn, readParts, readPeople } from '#domains/work/caldav-scheduling/read-people.ts'
import { answersByState } from '#domains/work/caldav-scheduling/write-people.ts'
import { announce } from '#platform/database/topics.ts'
import { canSend } from '#platform/delivery/outbox.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { DavError, notFound } from './dav-error.ts'
import { readResources } from './objects.ts'
import type { DavMember } from './passwords.ts'
import { readObject } from './read-object.ts'
import { type Conditions, checkConditions, type ObjectLocation } from './write-object.ts'
import { cal, dav, element } from './xml.ts'

/** Maximum characters of a comment, as in the portal. */
const maxComment = 200

/**
 * Stores an invitee's answer from their PARTSTAT (RFC 6638 §3.2.2). All else belongs to the organiser: changed people
 * or times are refused, other changes are ignored.
 * @param text undefined if the resource was deleted, which declines
 * @throws DavError 403, 404, 412
 */
export async function answerObject(
  platform: Platform,
  member: DavMember,
  { collection, name }: ObjectLocation,
  text: string | undefined,
  conditions: Conditions,
) {
  const origin = platform.origin()
  const site = { origin, sendsMail: canSend(platform, 'email') }
  const timeZone = member.timeZone ?? (await currentSettings(platform)).timeZone
  await platform.db.transaction().execute(async (db) => {
    const [found] = await readResources(db, member, collection, { names: [name] }, site)
    if (!found) {
      if (text === undefined) throw notFound()
      throw new DavError(403, 'Only the organiser can send an invitation.', {
        condition: element(dav, 'need-privileges'),
      })
    }
    checkConditions(conditions, found.etag)
    const ownAnswer =
      text === undefined
        ? { answer: 'no' as const, comment: '' }
        : readAnswer(member, text, found.body, { origin, timeZone })
    if (ownAnswer) await answerInvitation(db, member, found.id, ownAnswer)
    await announce(db, { kind: 'account', key: member.accountId })
  })
  await platform.topics.flushed()
}

/** @returns undefined if they have not answered */
function readAnswer(
  member: DavMember,
  text: string,
  storedBody: string,
  { origin, timeZone }: { origin: string; timeZone: string },
) {
  const keysOf = (body: string) =>
    readPeople(body, origin)
      .attendees.map(({ named, address }) =>
        named && isAddressOf(named, member) ? 'own' : named ? addressKey(named) : address,
      )
      .sort()
      .join(' ')
  const timesOf = (body: string) => {
    const { startsLocal, minutes, allDay, rrule, excludedLocal, overrides } = readObject(
      body,
      timeZone,
    ).event
    const changed = overrides.map((one) => [one.originalLocal, one.startsLocal, one.minutes])
    return JSON.stringify([startsLocal, minutes, allDay, rrule, excludedLocal, changed])
  }
  if (timesOf(text) !== timesOf(storedBody) || keysOf(text) !== keysOf(storedBody))
    throw organizerOnly()
  const { parts, master } = readParts(text)
  const states = parts.map((part) => {
    const ownProperty = part
      .getAllProperties('attendee')
      .find((property) => isAddressOf(readAddress(addressIn(property), origin), member))
    return String(ownProperty?.getFirstParameter('partstat') ?? '').toUpperCase()
  })
  const [state = ''] = states
  if (states.some((one) => one !== state))
    throw new DavError(403, 'An answer applies to the whole series.', {
      condition: element(cal, 'allowed-attendee-scheduling-object-change'),
    })
  const answer = answersByState[state]
  const comment = String(master?.getFirstPropertyValue('comment') ?? '').trim()
  return answer && { answer, comment: [...comment].slice(0, maxComment).join('') }
}

const organizerOnly = () =>
  new DavError(403, 'Only the organiser can change the time and the participants.', {
    condition: element(cal, 'allowed-attendee-scheduling-object-change'),
  })
