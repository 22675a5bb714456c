import type { Recipient, SendingPreview, sendingChannels } from '@atrium/contract/work/sending'
import type { sendingKinds } from '@atrium/contract/work/sending/texts'
import { readContact, rebuildChooserList } from '@atrium/rules/chooser'
import type { MemberVariable, Values } from '@atrium/rules/messages/variables'
import { type RawBuilder, sql } from 'kysely'
import { getBuiltInKind } from '#domains/work/messages/built-in-apps.ts'
import { chosenChannels, reachableChannels } from '#domains/work/notifications/queries.ts'
import type { Db } from '#platform/database/db.ts'
import { sendingMessages } from './messages.ts'
import { missingVariables } from './texts.ts'

export type Channel = (typeof sendingChannels)[number]
/** Codes of the organisations a sender may write to, including those below them; null means everybody. */
export type SendingScope = readonly string[] | null
/** A message's kind as its author chose it, or `personal` between members. */
export type Kind = (typeof sendingKinds)[number] | 'personal'
export type ExternalContact = { kind: 'email' | 'phone'; contact: string }

/** The recipient entries, sorted by type. */
type RecipientSelection = {
  /** in lower case */
  usernames: string[]
  groups: string[]
  lists: string[]
  courses: string[]
  events: string[]
  organizations: string[]
  organizationsAlone: string[]
  identityTypes: string[]
  external: ExternalContact[]
  /** outside contacts that are not valid addresses or phone numbers */
  malformed: string[]
}

async function readSelection(db: Db, list: readonly Recipient[]): Promise<RecipientSelection> {
  const chosen: RecipientSelection = {
    usernames: [],
    groups: [],
    lists: [],
    courses: [],
    events: [],
    organizations: [],
    organizationsAlone: [],
    identityTypes: [],
    external: [],
    malformed: [],
  }
  for (const entry of rebuildChooserList(list.map(normalized))) {
    if ('accountName' in entry) chosen.usernames.push(entry.accountName.toLowerCase())
    else if ('group_code' in entry) chosen.groups.push(entry.group_code)
    else if ('listId' in entry) chosen.lists.push(entry.listId)
    else if ('courseId' in entry) chosen.courses.push(entry.courseId)
    else if ('eventId' in entry) chosen.events.push(entry.eventId)
    else if ('ins_code' in entry)
      (entry.below ? chosen.organizations : chosen.organizationsAlone).push(entry.ins_code)
    else if ('identityType' in entry) chosen.identityTypes.push(entry.identityType)
    else {
      const { externalType: kind, contactsNumber: contact } = entry
      if (readContact(contact)?.externalType === kind) chosen.external.push({ kind, contact })
      else chosen.malformed.push(contact)
    }
  }
  const addedContacts = new Set(chosen.external.map(({ contact }) => contact))
  for (const contact of await listExternalEmails(db, chosen.events))
    if (!addedContacts.has(contact)) chosen.external.push({ kind: 'email', contact })
  return chosen
}

/** Participants of these events who are known only by an email address and have not declined. */
async function listExternalEmails(db: Db, events: readonly string[]): Promise<string[]> {
  if (events.length === 0) return []
  const { rows } = await sql<{ email: string }>`
    select distinct lower(email) as email from event_participant
    where event_id = any(${ids(events)}) and account_id is null and answer <> 'no' order by email`.execute(
    db,
  )
  return rows.flatMap(({ email }) => readContact(email)?.contactsNumber ?? [])
}

/** Lower-cases usernames and normalises contacts. An invalid contact is kept, to be reported. */
function normalized(entry: Recipient): Recipient {
  if ('accountName' in entry) return { accountName: entry.accountName.trim().toLowerCase() }
  if (!('externalType' in entry)) return entry
  const contact = readContact(entry.contactsNumber)
  return contact?.externalType === entry.externalType ? contact : entry
}

const texts = (list: readonly string[]) => sql`${list as string[]}::text[]`
const ids = (list: readonly string[]) => sql`${list as string[]}::bigint[]`

/** SQL condition on `account` joined with `organization`: a recipient entry selects the account. */
const isSelected = (chosen: RecipientSelection): RawBuilder<boolean> => sql<boolean>`(
  account.username = any(${texts(chosen.usernames)})
  or account.identity_type_code = any(${texts(chosen.identityTypes)})
  or organization.code = any(${texts(chosen.organizationsAlone)})
  or organization.path && ${texts(chosen.organizations)}
  or exists (select from group_member member join member_group g on g.id = member.group_id
    where member.account_id = account.id and g.code = any(${texts(chosen.groups)}))
  ${isInOneOf(chosen.lists, peopleOfLists)} ${isInOneOf(chosen.courses, peopleOfCourses)}
  ${isInOneOf(chosen.events, peopleOfEvents)})`

/** Added only if such entries were chosen; the subquery runs once for all accounts. */
const isInOneOf = (
  chosen: readonly string[],
  people: (chosen: RawBuilder<unknown>) => RawBuilder<unknown>,
) => (chosen.length === 0 ? sql`` : sql`or account.id in (${people(ids(chosen))})`)

/** The accounts in these lists, courses or events. Participants who declined are excluded. */
export const peopleOfLists = (lists: RawBuilder<unknown>) => sql`
  select part.member_account_id from address_book_group_member part where part.group_id = any(${lists})`
export const peopleOfCourses = (courses: RawBuilder<unknown>) => sql`
  select part.account_id from calendar_member part join course taken on taken.calendar_id = part.calendar_id
  where taken.id = any(${courses})`
export const peopleOfEvents = (events: RawBuilder<unknown>) => sql`
  select part.account_id from event_participant part
  where part.event_id = any(${events}) and part.account_id is not null and part.answer <> 'no'`

/** SQL condition on `organization`: it is in the sender's scope. */
export const isWithin = (within: SendingScope): RawBuilder<boolean> =>
  within === null ? sql<boolean>`true` : sql<boolean>`organization.path && ${texts(within)}`

/** FROM clause of all reached accounts, with `organization`, `person` and their notification choice for this kind. */
const reachedAccounts = (chosen: RecipientSelection, within: SendingScope, kind: Kind) => sql`
  from account
  join organization on organization.id = account.organization_id
  join person on person.id = account.person_id
  join message_kind kind on kind.id = ${kindId(kind)}
  left join message_box box on box.account_id = account.id and box.app_id = kind.app_id
  left join notification_choice choice on choice.account_id = account.id and choice.kind_id = kind.id
  where ${isReached(chosen, within)}`

const isReached = (chosen: RecipientSelection, within: SendingScope) =>
  sql<boolean>`account.status <> 'disabled' and ${isSelected(chosen)} and ${isWithin(within)}`

const kindId = (code: Kind) => sql`(
  select kind.id from message_kind kind join message_app app on app.id = kind.app_id
  where app.code = ${sendingMessages.spec.code} and kind.code = ${code})`

/** Number of recipients, counted as in the preview. */
export async function countRecipients(
  db: Db,
  list: readonly Recipient[],
  within: SendingScope,
): Promise<number> {
  const chosen = await readSelection(db, list)
  const { rows } = await sql<{ members: number }>`
    select count(*)::integer as members
    from account join organization on organization.id = account.organization_id
    where ${isReached(chosen, within)}`.execute(db)
  return (rows[0]?.members ?? 0) + chosen.external.length
}

/** Number of recipients, reach per channel, and who is left out and why. */
export async function previewRecipients(
  db: Db,
  list: readonly Recipient[],
  channels: readonly Channel[],
  within: SendingScope,
  kind: Kind = 'notice',
  needs: readonly MemberVariable[] = [],
): Promise<SendingPreview> {
  await getBuiltInKind(db, sendingMessages.kinds[kind])
  const chosen = await readSelection(db, list)
  const only = texts(channels)
  const { rows } = await sql<Record<string, number>>`
    select count(*)::integer as members ${sql.join(
      channels.map(
        (channel, index) => sql`,
          (count(*) filter (where ${channel} = any(reachable)))::integer as ${sql.ref(`reached${index}`)},
          (count(*) filter (where ${channel} <> all(chosen)))::integer as ${sql.ref(`off${index}`)}`,
      ),
      sql``,
    )}
    , (count(distinct person_id) filter (where 'sms' = any(reachable)))::integer as numbers
    from (select person.id as person_id, ${reachableChannels(only)} as reachable, ${chosenChannels(only)} as chosen
      ${reachedAccounts(chosen, within, kind)}) as recipient`.execute(db)
  const counts = rows[0] ?? {}
  const members = counts.members ?? 0
  const external = chosen.external.length
  const countExternal = (kind: ExternalContact['kind']) =>
    chosen.external.filter((contact) => contact.kind === kind).length
  const byChannel = new Map(
    channels.map((channel, index) => {
      const reached = counts[`reached${index}`] ?? 0
      const off = counts[`off${index}`] ?? 0
      return [channel, { channel, reached, off, missing: members - reached - off }] as const
    }),
  )
  for (const [channel, count] of [
    ['mail', countExternal('email')],
    ['sms', countExternal('phone')],
  ] as const)
    if (count > 0) {
      const current = byChannel.get(channel) ?? { channel, reached: 0, off: 0, missing: 0 }
      byChannel.set(channel, { ...current, reached: current.reached + count })
    }
  return {
    recipients: members + external,
    members,
    external,
    // Several accounts of one person share one number.
    sms: (counts.numbers ?? 0) + countExternal('phone'),
    channels: [...byChannel.values()],
    lacking: await listMissingValues(db, chosen, within, needs),
    leftOut: await listLeftOut(db, chosen, within),
  }
}

/** Recipients without a value for one of these variables. Outside contacts have none. */
export async function findMissingValues(
  db: Db,
  list: readonly Recipient[],
  within: SendingScope,
  needs: readonly MemberVariable[],
) {
  return listMissingValues(db, await readSelection(db, list), within, needs)
}

async function listMissingValues(
  db: Db,
  chosen: RecipientSelection,
  within: SendingScope,
  needs: readonly MemberVariable[],
): Promise<SendingPreview['lacking']> {
  if (needs.length === 0) return []
  const { rows } = await sql<{ variable: MemberVariable; count: number; examples: string[] }>`
    select variable, max(place)::integer as count,
      array_agg(name order by place) filter (where place <= 5) as examples
    from (
      select variable, name, row_number() over (partition by variable order by username) as place
      from (
        select person.name, account.username, unnest(${missingVariables(needs)}) as variable
        from account
        join organization on organization.id = account.organization_id
        join person on person.id = account.person_id
        where ${isReached(chosen, within)}
      ) as lacked
    ) as listed
    group by variable`.execute(db)
  const externalContacts = chosen.external.map(({ contact }) => contact)
  return needs.flatMap((variable) => {
    const { count = 0, examples = [] } = rows.find((row) => row.variable === variable) ?? {}
    const all = count + externalContacts.length
    return all === 0
      ? []
      : [{ variable, count: all, examples: [...examples, ...externalContacts].slice(0, 5) }]
  })
}

/** The reached member at this offset, by account id, and whether another one follows. */
export async function findRecipientAt(
  db: Db,
  list: readonly Recipient[],
  within: SendingScope,
  offset: number,
  values: RawBuilder<Values>,
) {
  const chosen = await readSelection(db, list)
  const { rows } = await sql<{ name: string; values: Values }>`
    select person.name, ${values} as values
    from account
    join organization on organization.id = account.organization_id
    join person on person.id = account.person_id
    where ${isReached(chosen, within)} order by account.id limit 2 offset ${offset}`.execute(db)
  return { found: rows[0], more: rows.length > 1 }
}

/** Recipients who are named by an entry but receive nothing, by reason. */
async function listLeftOut(
  db: Db,
  chosen: RecipientSelection,
  within: SendingScope,
): Promise<SendingPreview['leftOut']> {
  const { rows } = await sql<{ reason: 'unknown' | 'closed'; names: string[] }>`
    select 'unknown' as reason, array(
      select name from unnest(${texts(chosen.usernames)}) name
        where not exists (select from account where username = name)
      union all select code from unnest(${texts(chosen.groups)}) code
        where not exists (select from member_group g where g.code = code.code)
      union all select code from unnest(${texts([...chosen.organizations, ...chosen.organizationsAlone])}) code
        where not exists (select from organization o where o.code = code.code)
      union all select code from unnest(${texts(chosen.identityTypes)}) code
        where not exists (select from identity_type t where t.code = code.code)
      union all select id::text from unnest(${ids(chosen.lists)}) id
        where not exists (select from address_book_group g where g.id = id.id)
      union all select id::text from unnest(${ids(chosen.courses)}) id
        where not exists (select from course where course.id = id.id)
      union all select id::text from unnest(${ids(chosen.events)}) id
        where not exists (select from event where event.id = id.id)) as names
    union all
    select 'closed', array(
      select username from account
      where username = any(${texts(chosen.usernames)}) and status = 'disabled' order by username)`.execute(
    db,
  )
  const outsideScope = await sql<{ count: number; named: string[] }>`
    select count(*)::integer as count,
      array_agg(account.username) filter (where account.username = any(${texts(chosen.usernames)})) as named
    from account join organization on organization.id = account.organization_id
    where account.status <> 'disabled' and ${isSelected(chosen)} and not ${isWithin(within)}`.execute(
    db,
  )
  const { count = 0, named } = outsideScope.rows[0] ?? {}
  const listed = [...rows, { reason: 'format' as const, names: chosen.malformed }].map(
    ({ reason, names }) => ({ reason, count: names.length, examples: names.slice(0, 5) }),
  )
  // Privacy: outside their scope, senders only see people they named themselves.
  const outOfScope = { reason: 'outside' as const, count, examples: (named ?? []).slice(0, 5) }
  return [...listed, outOfScope].filter(({ count }) => count > 0)
}

/**
 * Stores the recipients of a message, each once, with the channels to reach them.
 * @returns the number of recipients, and of members among them
 */
export async function storeRecipients(
  db: Db,
  sendingId: string,
  list: readonly Recipient[],
  channels: readonly Channel[],
  within: SendingScope,
  kind: Kind,
): Promise<{ members: number; recipients: number }> {
  const chosen = await readSelection(db, list)
  const inserted = await sql`
    insert into sending_recipient (sending_id, account_id, channels)
    select ${sendingId}::bigint, account.id, ${reachableChannels(texts(channels))}
    ${reachedAccounts(chosen, within, kind)} order by account.id`.execute(db)
  const contacts = (kind: ExternalContact['kind']) =>
    texts(chosen.external.flatMap((one) => (one.kind === kind ? [one.contact] : [])))
  const external = await sql`
    insert into sending_recipient (sending_id, contact_kind, contact, channels)
    select ${sendingId}::bigint, 'email', contact, '{mail}'::text[] from unnest(${contacts('email')}) contact
    union all select ${sendingId}::bigint, 'phone', contact, '{sms}'::text[] from unnest(${contacts('phone')}) contact`.execute(
    db,
  )
  const members = Number(inserted.numAffectedRows ?? 0)
  return { members, recipients: members + Number(external.numAffectedRows ?? 0) }
}
