import { type PersonalKind, personalKinds } from '@atrium/contract/member/personal-source'
import type { personalSources } from '@atrium/contract/member/personal-sources'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { performAction } from './perform-action.ts'
import { readPersonal, readStoredCards, type StoredCard } from './read-personal.ts'
import {
  booksOf,
  cardMonthOf,
  eCardOf,
  infoCardsOf,
  mailboxOf,
  researchOf,
  storedValue,
} from './views.ts'

/** @throws personal.source_down if the system does not answer and nothing is stored */
async function getCard(
  platform: Platform,
  accountId: string,
  kind: PersonalKind,
  wait: '0' | '1' | undefined,
): Promise<StoredCard> {
  if (wait === '0') return (await readStoredCards(platform, accountId, [kind]))[kind]
  const card = await readPersonal(platform, accountId, kind)
  if (card.isStale && card.asOf === null) fail('personal.source_down', { retryAfter: 10 })
  return card
}

export const personalSourceHandlers: Handlers<typeof personalSources> = {
  eCard: async ({ platform, viewer, query }) =>
    eCardOf(await getCard(platform, viewer.accountId, 'ecard', query.wait)),
  async eCardData({ platform, viewer, query }) {
    const { timeZone } = await currentSettings(platform)
    return cardMonthOf(
      await getCard(platform, viewer.accountId, 'ecard', '1'),
      query.month,
      timeZone,
    )
  },
  async books({ platform, viewer, query }) {
    const { timeZone } = await currentSettings(platform)
    return booksOf(
      await getCard(platform, viewer.accountId, 'books', query.wait),
      new Date(),
      timeZone,
    )
  },
  async renew({ platform, viewer, body: { id } }) {
    const card = (await readStoredCards(platform, viewer.accountId, ['books'])).books
    // Only the member's own loans may be renewed; the library could not tell whose loan it is.
    if (!storedValue('books', card)?.list?.some((loan) => loan.id === id))
      fail('personal.source_refused')
    const { timeZone } = await currentSettings(platform)
    return booksOf(
      await performAction(platform, viewer.accountId, 'books', 'renew', { loan: id }),
      new Date(),
      timeZone,
    )
  },
  mailbox: async ({ platform, viewer, query }) =>
    mailboxOf(await getCard(platform, viewer.accountId, 'mailbox', query.wait)),
  research: async ({ platform, viewer, query }) =>
    researchOf(await getCard(platform, viewer.accountId, 'research', query.wait)),
  async overview({ platform, viewer }) {
    const { timeZone } = await currentSettings(platform)
    const cards = await readStoredCards(platform, viewer.accountId, personalKinds)
    // A member who was never looked up may still be known, so the screen should ask.
    const isAvailable = ({ value, asOf, source }: StoredCard) =>
      value !== null || (source && asOf === null)
    const [books, mailbox, research] = [
      booksOf(cards.books, new Date(), timeZone),
      mailboxOf(cards.mailbox),
      researchOf(cards.research),
    ]
    return {
      eCard: Boolean(isAvailable(cards.ecard)),
      books: isAvailable(cards.books)
        ? { borrowed: books?.borrowed ?? 0, dueSoon: books?.dueSoon ?? 0 }
        : null,
      mailbox: isAvailable(cards.mailbox) ? { unread: mailbox?.unread ?? 0 } : null,
      research: isAvailable(cards.research)
        ? { papers: research?.papers.length ?? 0, projects: research?.projects.length ?? 0 }
        : null,
      infoCards: Boolean(isAvailable(cards.info)),
    }
  },
  infoCards: async ({ platform, viewer, query }) =>
    infoCardsOf(await getCard(platform, viewer.accountId, 'info', query.wait)),
}

/** The three cards of the home page, as stored; `pending` lists those that are outdated. */
export async function readCards(platform: Platform, accountId: string) {
  const { timeZone } = await currentSettings(platform)
  const { ecard, books, mailbox } = await readStoredCards(platform, accountId, [
    'ecard',
    'books',
    'mailbox',
  ])
  const pending = Object.entries({ eCard: ecard, books, mailbox }).flatMap(([name, { isStale }]) =>
    isStale ? name : [],
  )
  return {
    eCard: eCardOf(ecard),
    books: booksOf(books, new Date(), timeZone),
    mailbox: mailboxOf(mailbox),
    pending,
  }
}
