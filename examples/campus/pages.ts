import { type Html, html, type Language, type Words } from './html.ts'
import type { Session } from './portal.ts'
import type { Request } from './state.ts'

export type Page = (
  session: Session,
  language: Language,
  search: URLSearchParams,
) => { title: Words; body: Html }
/** Result of a submitted form; selects the message above the page. */
export type Outcome = keyof typeof outcomes
export type FormHandler = (session: Session, form: URLSearchParams) => Outcome | Promise<Outcome>

export const outcomes = {
  sent: {
    zh: '已提交，在门户“我发起的”里能看到进度',
    en: 'Sent. Its progress is in the portal, under what you started',
  },
  booked: { zh: '已预约', en: 'Booked' },
  given: { zh: '已取消', en: 'Cancelled' },
  chosen: { zh: '已选上这门课', en: 'You are in the course' },
  dropped: { zh: '已退选', en: 'You have left the course' },
  registered: { zh: '已登记', en: 'Registered' },
  renewed: { zh: '已续借，应还日期在下方', en: 'Renewed. The new date is below' },
  toppedUp: { zh: '充值到账', en: 'The money is on your card' },
  tooMuch: { zh: '卡上最多 ¥1000，请减少金额', en: 'A card holds up to ¥1000. Please add less' },
  lost: { zh: '已挂失，卡片立即停用', en: 'Reported. The card has stopped working' },
  found: { zh: '卡片已恢复使用', en: 'The card works again' },
  full: { zh: '名额已满，请选择其他时间', en: 'It is full. Please choose another' },
  twice: { zh: '已经申请过了', en: 'You have asked for this before' },
  incomplete: { zh: '请把各项填写完整', en: 'Please fill in every field' },
  order: { zh: '结束日期不能早于开始日期', en: 'The last day is before the first' },
  unknown: { zh: '没有这一项，请刷新后再试', en: 'This no longer exists. Please reload' },
  down: {
    zh: '门户暂时没有应答，没有提交，请稍后再试',
    en: 'The portal does not answer; nothing was sent. Please try again',
  },
} satisfies Record<string, Words>

export const button = (name: string, value: string, text: string, about: string, plain = true) =>
  html`<form method="post"><button class="${plain ? 'plain' : ''}" name="${name}" value="${value}" aria-label="${text} ${about}">${text}</button></form>`

export const selectField = (
  name: string,
  label: string,
  options: readonly (readonly [string, string])[],
) =>
  html`<label>${label}<select name="${name}">${options.map(
    ([value, text]) => html`<option value="${value}">${text}</option>`,
  )}</select></label>`

const states = {
  open: { zh: '审批中', en: 'Waiting' },
  approved: { zh: '已同意', en: 'Approved' },
  refused: { zh: '未同意', en: 'Refused' },
}
export const stateLabel = (
  { status }: Request,
  language: Language,
  words: Record<Request['status'], Words> = states,
) =>
  html`<span class="state ${status === 'approved' ? 'good' : status === 'refused' ? 'bad' : ''}">${words[status][language]}</span>`
