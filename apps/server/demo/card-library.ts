import { describeCode } from './codes.ts'
import { addDays, dayOf } from './dates.ts'
import { cardsAt, type DemoCards, type DemoPayment, paymentAt } from './personal.ts'

export type CardStatus = 'active' | 'frozen' | 'lost'

/** Members' actions at the card system and the library on one day; they are reset on the next. */
export type MemberActions = {
  day: string
  /** by card number */
  cards: Record<string, { status?: CardStatus; added: DemoPayment[] }>
  /** ids of renewed loans; each can be renewed once */
  renewed: string[]
  /** titles of reserved books, by card number */
  reserved: Record<string, string[]>
}
export const noActions: MemberActions = { day: '', cards: {}, renewed: [], reserved: {} }

export const renewalDays = 30
export const topUps = ['50.00', '100.00', '200.00'] as const
/** Maximum balance of a card. */
const maxBalance = 1000

/**
 * The card system and the library of the demo institution: members' data for the portal, and members' actions.
 * @param kept stored actions, changed in place
 * @param changed called after each change
 */
export function openCardLibrary(kept: MemberActions, changed: () => void) {
  let known = new Map<string, DemoCards>()
  function find(matches: (one: DemoCards) => boolean) {
    const today = dayOf(new Date())
    if (kept.day !== today) {
      Object.assign(kept, structuredClone(noActions), { day: today })
      known = new Map()
    }
    if (known.size === 0) known = new Map(cardsAt(new Date()).map((one) => [one.number, one]))
    return [...known.values()].find(matches)
  }
  const cardOf = (number: string) => {
    kept.cards[number] ??= { added: [] }
    return kept.cards[number]
  }
  const setStatus = (number: string, status: CardStatus) => {
    cardOf(number).status = status
    changed()
  }

  return {
    /** the number of a member; undefined without a card */
    numberOf: (username: string) => find((one) => one.username === username)?.number,
    card(number: string) {
      const own = find((one) => one.number === number)?.ecard
      if (!own) return undefined
      const { status = own.status, added } = kept.cards[number] ?? { added: [] }
      const balance = added.reduce((sum, { amount }) => sum + Number(amount), Number(own.balance))
      return {
        person: number,
        ...own,
        status: status as CardStatus,
        balance: balance.toFixed(2),
        transactions: [...added.toReversed(), ...own.transactions],
      }
    },
    freeze: (number: string) => setStatus(number, 'frozen'),
    reportLost: (number: string) => setStatus(number, 'lost'),
    /** @returns whether it worked; a lost card can be reactivated at the card system only */
    unfreeze(number: string, evenLost = false) {
      if (kept.cards[number]?.status === 'lost' && !evenLost) return false
      setStatus(number, 'active')
      return true
    },
    /** @returns the new balance; undefined if it would exceed the limit */
    topUp(number: string, amount: string): string | undefined {
      const before = this.card(number)
      if (!before || Number(before.balance) + Number(amount) > maxBalance) return undefined
      cardOf(number).added.push(paymentAt(new Date(), '自助充值', amount))
      changed()
      return this.card(number)?.balance
    },

    loans(number: string) {
      const own = find((one) => one.number === number)?.books
      if (!own) return undefined
      return {
        reader: number,
        loans: own.list.map((loan) => ({
          ...loan,
          renewed: kept.renewed.includes(loan.id),
          dueOn: kept.renewed.includes(loan.id) ? addDays(loan.dueOn, renewalDays) : loan.dueOn,
        })),
        returned: own.history,
      }
    },
    /** @returns the updated loan; undefined if it does not exist or was renewed before */
    renew(number: string, id: string) {
      const found = this.loans(number)?.loans.find((loan) => loan.id === id)
      if (!found || found.renewed) return undefined
      kept.renewed.push(id)
      changed()
      return this.loans(number)?.loans.find((loan) => loan.id === id)
    },
    reservedBy: (number: string) => kept.reserved[number] ?? [],
    /** Adds or removes a reservation. */
    reserve(number: string, title: string) {
      const own = kept.reserved[number] ?? []
      kept.reserved[number] = own.includes(title)
        ? own.filter((one) => one !== title)
        : [...own, title]
      changed()
    },
  }
}
export type CardLibrary = ReturnType<typeof openCardLibrary>

/**
 * Answers the portal's requests, at the addresses of `describeSystems`.
 * @param told body of a POST; undefined for a GET
 */
export function answerPortal(
  system: CardLibrary,
  { pathname, searchParams }: URL,
  told: { number?: string; loan?: string } | undefined,
): { status: number; body: object } {
  const number = told?.number ?? searchParams.get('person') ?? ''
  const yes = (ok: boolean) => ({ status: 200, body: { ok } })
  const found = (body: object | undefined) =>
    body ? { status: 200, body } : { status: 404, body: {} }
  if (!told && pathname === '/api/code') return found(describeCode(searchParams.get('code') ?? ''))
  if (!system.card(number)) return found(undefined)
  switch (`${told ? 'POST' : 'GET'} ${pathname}`) {
    case 'GET /api/card':
      return found(system.card(number))
    case 'GET /api/loans':
      return found(system.loans(number))
    case 'POST /api/card/freeze':
      system.freeze(number)
      return yes(true)
    case 'POST /api/card/unfreeze':
      return yes(system.unfreeze(number))
    case 'POST /api/loans/renew':
      return yes(system.renew(number, told?.loan ?? '') !== undefined)
    default:
      return found(undefined)
  }
}
