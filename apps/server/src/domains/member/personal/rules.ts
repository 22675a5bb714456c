/** `13800000001` → `138****0001`; anything shorter than a mobile number is hidden but for its end. */
export const hideMobile = (mobile: string) =>
  mobile.length >= 11
    ? `${mobile.slice(0, -8)}****${mobile.slice(-4)}`
    : mobile.replace(/.(?=..)/g, '*')

/** `lin.zhixia@example.edu` → `l***a@example.edu` */
export const hideEmail = (email: string) => email.replace(/^(.).*?(.?)@/, '$1***$2@')

export const ecardOf = (card: { balance: string; cardNo: string }, asOf: string) => ({
  balance: card.balance,
  cardNo: card.cardNo.slice(-4),
  asOf,
})

/** Books that must be back within three days are due soon; `dueOn` is a day in the institution's calendar. */
export function booksCard(card: { list: { title: string; dueOn: string }[] }, now: Date) {
  const soon = new Date(now.getTime() + 3 * 86_400_000).toISOString().slice(0, 10)
  return {
    borrowed: card.list.length,
    dueSoon: card.list.filter((book) => book.dueOn <= soon).length,
    list: card.list,
  }
}
