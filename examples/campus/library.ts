import { renewalDays } from '../../apps/server/demo/card-library.ts'
import { titles } from '../../apps/server/demo/personal.ts'
import { cardLibrary } from './card.ts'
import { html, type Language } from './html.ts'
import { button, type FormHandler, type Page } from './pages.ts'
import { notify, reportChange } from './portal.ts'

const day = (on: string, language: Language) =>
  new Date(`${on}T00:00:00Z`).toLocaleDateString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
  })
/** Book titles are not translated. */
const bookTitle = (title: string) => html`<span lang="zh-CN">《${title}》</span>`

export const loans: Page = ({ username }, language) => {
  const title = { zh: '我的借阅', en: 'My loans' }
  const zh = language === 'zh'
  const number = cardLibrary.numberOf(username) ?? ''
  const ownLoans = cardLibrary.loans(number)
  if (!ownLoans)
    return {
      title,
      body: html`<section><p>${zh ? '你还没有借书证，请到总服务台办理。' : 'You have no library card yet. The main desk issues one.'}</p></section>`,
    }
  const reserved = cardLibrary.reservedBy(number)
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' })
  return {
    title,
    body: html`<section><h2>${zh ? `在借 ${ownLoans.loans.length} 册` : `${ownLoans.loans.length} on loan`}</h2>
${
  ownLoans.loans.length === 0
    ? html`<p class="muted">${zh ? '没有在借的书' : 'Nothing on loan'}</p>`
    : html`<ul>${ownLoans.loans.map(
        (
          loan,
        ) => html`<li><div>${bookTitle(loan.title)}<p class="muted number">${zh ? '应还' : 'Due'} ${day(loan.dueOn, language)}${
          loan.dueOn < today
            ? html` · <span class="state bad">${zh ? '已逾期' : 'overdue'}</span>`
            : ''
        }</p></div>
${
  loan.renewed
    ? html`<span class="state good">${zh ? '已续借' : 'Renewed'}</span>`
    : button('renew', loan.id, zh ? '续借' : 'Renew', `《${loan.title}》`)
}</li>`,
      )}</ul>`
}
<p class="muted">${zh ? `每册可续借一次，延长 ${renewalDays} 天。` : `Each book can be renewed once, for ${renewalDays} days.`}</p></section>
<section><h2>${zh ? '预约' : 'Reserved'}</h2>${
      reserved.length === 0
        ? html`<p class="muted">${zh ? '没有预约' : 'Nothing reserved'}</p>`
        : html`<ul>${reserved.map(
            (one) =>
              html`<li><div>${bookTitle(one)}<p class="muted">${zh ? '到馆后通知你' : 'You will be told when it is there'}</p></div>${button('reserve', one, zh ? '取消' : 'Cancel', `《${one}》`)}</li>`,
          )}</ul>`
    }<p><a href="/lib/catalogue">${zh ? '查找并预约' : 'Find and reserve a book'}</a></p></section>
<section><h2>${zh ? '已还' : 'Returned'}</h2><ul>${ownLoans.returned.map(
      (one) =>
        html`<li><div>${bookTitle(one.title)}</div><span class="muted number">${day(one.returnedOn, language)}</span></li>`,
    )}</ul></section>`,
  }
}

export const catalogue: Page = ({ username }, language, search) => {
  const zh = language === 'zh'
  const words = (search.get('q') ?? '').trim().slice(0, 60)
  const number = cardLibrary.numberOf(username) ?? ''
  const reserved = cardLibrary.reservedBy(number)
  const found = titles.filter((title) => title.includes(words))
  return {
    title: { zh: '馆藏查询', en: 'Catalogue' },
    body: html`<form class="card" method="get"><label>${zh ? '书名' : 'Title'}<input name="q" type="search" maxlength="60" value="${words}"></label>
<button>${zh ? '查找' : 'Find'}</button></form>
<section><h2>${zh ? `${found.length} 种` : `${found.length} found`}</h2>${
      found.length === 0
        ? html`<p class="muted">${zh ? '没有找到。换一个字试试。' : 'Nothing found. Try another word.'}</p>`
        : html`<ul>${found.map(
            (
              title,
            ) => html`<li><div>${bookTitle(title)}<p class="muted">${zh ? '总馆三楼流通书库' : 'Main library, third floor'}</p></div>
${
  reserved.includes(title)
    ? html`<span class="state good">${zh ? '已预约' : 'Reserved'}</span>`
    : number
      ? button('reserve', title, zh ? '预约' : 'Reserve', `《${title}》`)
      : ''
}</li>`,
          )}</ul>`
    }</section>`,
  }
}

export const submitLibrary: FormHandler = async ({ username }, form) => {
  const number = cardLibrary.numberOf(username)
  if (!number) return 'unknown'
  const title = form.get('reserve')
  if (title !== null) {
    if (!titles.includes(title)) return 'unknown'
    const wasReserved = cardLibrary.reservedBy(number).includes(title)
    cardLibrary.reserve(number, title)
    return wasReserved ? 'given' : 'booked'
  }
  const renewed = cardLibrary.renew(number, form.get('renew') ?? '')
  if (!renewed) return 'unknown'
  await reportChange('books', username)
  notify(username, '/lib/loans', {
    app: 'library',
    title: `《${renewed.title}》已续借至 ${renewed.dueOn}`,
    titleEn: `Renewed until ${renewed.dueOn}: ${renewed.title}`,
    summary: '',
    summaryEn: '',
  })
  return 'renewed'
}
