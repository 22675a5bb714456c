import { openCardLibrary, topUps } from '../../apps/server/demo/card-library.ts'
import { html, type Language } from './html.ts'
import { button, type FormHandler, type Page } from './pages.ts'
import { notify, reportChange } from './portal.ts'
import { save, state } from './state.ts'

/** The source of cards and loans; the portal queries it for its members. */
export const cardLibrary = openCardLibrary(state.cardLibrary, save)

const statuses = {
  active: { zh: '正常', en: 'Active' },
  frozen: { zh: '已冻结', en: 'Frozen' },
  lost: { zh: '已挂失', en: 'Reported lost' },
}
const dateOf = (at: string, language: Language) =>
  new Date(at).toLocaleString(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: 'Asia/Shanghai',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })

export const card: Page = ({ username }, language) => {
  const title = { zh: '一卡通', en: 'Campus card' }
  const zh = language === 'zh'
  const ownCard = cardLibrary.card(cardLibrary.numberOf(username) ?? '')
  if (!ownCard)
    return {
      title,
      body: html`<section><p>${zh ? '你没有一卡通，请到校园卡中心办理。' : 'You have no campus card. The card centre issues one.'}</p></section>`,
    }
  const isActive = ownCard.status === 'active'
  return {
    title,
    body: html`<section><h2>${zh ? '余额' : 'Balance'}</h2>
<p class="figure number">¥${ownCard.balance}</p>
<p class="muted number">${zh ? '卡号' : 'Card'} ${ownCard.cardNo} · <span class="state ${isActive ? 'good' : 'bad'}">${statuses[ownCard.status][language]}</span></p></section>
<section><h2>${zh ? '充值' : 'Top up'}</h2><div class="choices">${topUps.map((amount) =>
      button('topUp', amount, `¥${Number(amount)}`, zh ? '充值' : 'to top up'),
    )}</div>
<p class="muted">${zh ? '演示中不会扣款。卡上最多 ¥1000。' : 'The demo takes no money. A card holds up to ¥1000.'}</p></section>
<section><h2>${zh ? '卡片丢失' : 'Lost it?'}</h2>
<p>${
      isActive
        ? zh
          ? '挂失后，刷卡和付款码立即停用，余额不受影响。'
          : 'Once reported, the card and its pay codes stop at once. The balance stays.'
        : zh
          ? '卡片目前不能使用。找到后可以恢复。'
          : 'The card cannot be used now. Found it? Use it again.'
    }</p>
${
  isActive
    ? button('lost', '1', zh ? '挂失' : 'Report lost', zh ? '一卡通' : 'campus card')
    : button('found', '1', zh ? '恢复使用' : 'Use it again', zh ? '一卡通' : 'campus card', false)
}</section>
<section><h2>${zh ? '最近记录' : 'Latest'}</h2><ul>${ownCard.transactions
      .slice(0, 15)
      .map(
        ({ at, place, placeEn, amount }) =>
          html`<li><div>${zh ? place : placeEn || place}<p class="muted number">${dateOf(at, language)}</p></div><span class="number">${Number(amount) < 0 ? '−' : '+'}¥${amount.replace('-', '')}</span></li>`,
      )}</ul></section>`,
  }
}

export const submitCard: FormHandler = async ({ username }, form) => {
  const number = cardLibrary.numberOf(username)
  if (!number) return 'unknown'
  const amount = topUps.find((one) => one === form.get('topUp'))
  if (amount) {
    const balance = cardLibrary.topUp(number, amount)
    if (!balance) return 'tooMuch'
    await reportChange('ecard', username)
    notify(username, '/card/home', {
      app: 'card',
      title: `充值到账 ¥${amount}`,
      titleEn: `¥${amount} added to your card`,
      summary: `余额 ¥${balance}`,
      summaryEn: `The balance is ¥${balance}`,
    })
    return 'toppedUp'
  }
  if (form.has('lost')) {
    cardLibrary.reportLost(number)
    await reportChange('ecard', username)
    notify(username, '/card/home', {
      app: 'card',
      title: '一卡通已挂失',
      titleEn: 'Your campus card is reported lost',
      summary: '刷卡和付款码已停用。找到后可在一卡通服务中恢复使用。',
      summaryEn:
        'The card and its pay codes no longer work. Found it? Use it again from the card service.',
    })
    return 'lost'
  }
  if (form.has('found')) {
    cardLibrary.unfreeze(number, true)
    await reportChange('ecard', username)
    return 'found'
  }
  return 'unknown'
}
