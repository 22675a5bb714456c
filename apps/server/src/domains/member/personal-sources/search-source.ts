import type { AnswerSource, Searchable } from '#platform/search-source.ts'
import { emptyAnswer } from '#platform/search-source.ts'
import { readPersonal } from './read-personal.ts'
import { storedValue } from './views.ts'

const balanceQuestion =
  /(一卡通|校园卡|饭卡|卡).{0,3}(余额|还有多少|还剩多少|多少钱)|\b(campus|meal|e-?)?\s?card balance\b|\bbalance\b.*\bcard\b/
const loansQuestion =
  /(借(的|了)?.{0,3}书|借阅|图书).{0,6}(到期|几本|哪些|什么时候还)|(什么时候|几号|哪天)还书|\b(my )?(loans?|borrowed books?|books?)\b.*\b(due|return)/

/** The questions each card answers. */
const questions: ['ecard' | 'books', RegExp][] = [
  ['ecard', balanceQuestion],
  ['books', loansQuestion],
]

/** Answers questions such as “我的一卡通余额” or “借的书什么时候到期” with the same data as the card's screen. */
const cardAnswer: AnswerSource = async (platform, viewer, { text }) => {
  if (!viewer.signedIn) return undefined
  const kind = questions.find(([, question]) => question.test(text))?.[0]
  if (!kind) return undefined
  const stored = await readPersonal(platform, viewer.accountId, kind)
  const card = kind === 'ecard' ? storedValue('ecard', stored) : null
  if (card)
    return {
      ...emptyAnswer,
      kind: 'card',
      title: '一卡通余额',
      titleEn: 'Card balance',
      text: `¥${card.balance}`,
      textEn: `¥${card.balance}`,
      at: stored.asOf,
      ways: [
        { name: '查看我的卡', nameEn: 'See my card', to: '/pages/myInfo/eCard', serviceId: null },
      ],
    }
  const books = kind === 'books' ? storedValue('books', stored) : null
  if (books) {
    const list = books.list ?? []
    const soonest = list.toSorted((one, other) => (one.dueOn < other.dueOn ? -1 : 1))
    return {
      ...emptyAnswer,
      kind: 'card',
      title: '我的借阅',
      titleEn: 'My loans',
      text: list.length > 0 ? `在借 ${list.length} 本` : '没有在借的书',
      textEn: list.length > 0 ? `Books on loan: ${list.length}` : 'No books on loan',
      at: stored.asOf,
      facts: soonest.map(({ title, dueOn }) => ({
        name: title,
        nameEn: title,
        value: `${dueOn} 前还`,
        valueEn: `due ${dueOn}`,
      })),
      ways: [
        { name: '查看借阅', nameEn: 'See my loans', to: '/pages/myInfo/books', serviceId: null },
      ],
    }
  }
  return undefined
}

export const personalSourcesSearch: Searchable = { answers: [cardAnswer] }
