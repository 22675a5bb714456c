import { html, type Language } from './html.ts'
import { button, type FormHandler, type Page, stateLabel } from './pages.ts'
import { submitRequest } from './requests.ts'
import { type Request, save, state } from './state.ts'

const buildings = [
  { zh: '梅园', en: 'Meiyuan' },
  { zh: '兰园', en: 'Lanyuan' },
  { zh: '竹园', en: 'Zhuyuan' },
  { zh: '菊园', en: 'Juyuan' },
]
/** The demo's student lives at the address in the portal's personal data; everybody else at a constant derived one. */
function roomOf(username: string) {
  if (username === 'student') return { building: buildings[0], house: 3, room: 512, bed: 2 }
  let hash = 5
  for (const sign of username) hash = (hash * 31 + (sign.codePointAt(0) ?? 0)) % 99_991
  const room = (1 + (hash % 6)) * 100 + 1 + (hash % 28)
  return { building: buildings[hash % 4], house: 1 + (hash % 5), room, bed: 1 + (hash % 4) }
}
function addressOf(username: string, language: Language) {
  const { building, house, room } = roomOf(username)
  return language === 'zh'
    ? `${building?.zh} ${house} 栋 ${room}`
    : `${building?.en} ${house}, room ${room}`
}

const repairStates = {
  open: { zh: '已派单', en: 'On its way' },
  approved: { zh: '已修好', en: 'Repaired' },
  refused: { zh: '无法维修', en: 'Not repaired' },
}
function repairList(username: string, language: Language) {
  const own = state.requests.filter((one) => one.username === username && one.kind === 'repair')
  if (own.length === 0)
    return html`<p class="muted">${language === 'zh' ? '还没有报修' : 'Nothing reported yet'}</p>`
  const [place, what] = [0, 1].map((index) => (one: Request) => one.form[index]?.value ?? '')
  return html`<ul>${own
    .toReversed()
    .map(
      (one) =>
        html`<li><div>${what?.(one)}<p class="muted">${place?.(one)}${one.comment ? ` · ${one.comment}` : ''}</p></div>${stateLabel(one, language, repairStates)}</li>`,
    )}</ul>`
}
const repairForm = (username: string, language: Language) => html`
<form class="card" method="post">
<h2>${language === 'zh' ? '报修' : 'Report something broken'}</h2>
<label>${language === 'zh' ? '地点' : 'Place'}<input name="place" required maxlength="60" value="${addressOf(username, language)}"></label>
<label>${language === 'zh' ? '哪里坏了' : 'What is broken'}<textarea name="what" required maxlength="200" rows="3"></textarea></label>
<button>${language === 'zh' ? '提交' : 'Send'}</button>
</form>`

export const repair: Page = ({ username }, language) => ({
  title: { zh: '后勤报修', en: 'Repairs' },
  body: html`${repairForm(username, language)}
<section><h2>${language === 'zh' ? '我的报修' : 'My reports'}</h2>${repairList(username, language)}</section>`,
})

export const dorm: Page = ({ username }, language) => {
  const zh = language === 'zh'
  const today = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Shanghai' })
  const visitors = state.visitors.filter((one) => one.username === username && one.on >= today)
  return {
    title: { zh: '宿舍服务', en: 'Dormitory' },
    body: html`<section><h2>${zh ? '我的房间' : 'My room'}</h2>
<p class="figure">${addressOf(username, language)}</p>
<p class="muted number">${zh ? `${roomOf(username).bed} 号床 · 四人间` : `Bed ${roomOf(username).bed} of 4`}</p></section>
${repairForm(username, language)}
<section><h2>${zh ? '我的报修' : 'My reports'}</h2>${repairList(username, language)}</section>
<form class="card" method="post">
<h2>${zh ? '访客登记' : 'Register a visitor'}</h2>
<label>${zh ? '访客姓名' : 'Their name'}<input name="visitor" required maxlength="30" autocomplete="off"></label>
<label>${zh ? '来访日期' : 'Day'}<input type="date" name="on" required min="${today}"></label>
<button>${zh ? '登记' : 'Register'}</button>
</form>
<section><h2>${zh ? '我的访客' : 'My visitors'}</h2>${
      visitors.length === 0
        ? html`<p class="muted">${zh ? '没有登记的访客' : 'Nobody registered'}</p>`
        : html`<ul>${visitors.map((one) => html`<li><div>${one.name}<p class="muted number">${one.on}</p></div>${button('cancel', one.id, zh ? '取消' : 'Cancel', one.name)}</li>`)}</ul>`
    }</section>`,
  }
}

const text = (form: URLSearchParams, name: string) => String(form.get(name) ?? '').trim()

export const submitRepair: FormHandler = (session, form) => {
  const [place, what] = [text(form, 'place'), text(form, 'what')]
  if (!place || !what || place.length > 60 || what.length > 200) return 'incomplete'
  return submitRequest(session, {
    kind: 'repair',
    title: `报修：${place}`,
    titleEn: `Repair: ${place}`,
    form: [
      { label: '地点', labelEn: 'Place', value: place },
      { label: '故障', labelEn: 'What is broken', value: what },
    ],
  })
}

/** Maximum registered visitors per member. */
const maxVisitors = 20
export const submitDorm: FormHandler = (session, form) => {
  const { username } = session
  if (form.has('what')) return submitRepair(session, form)
  if (form.has('cancel')) {
    const before = state.visitors.length
    state.visitors = state.visitors.filter(
      (one) => one.username !== username || one.id !== form.get('cancel'),
    )
    save()
    return state.visitors.length < before ? 'given' : 'unknown'
  }
  const [name, on] = [text(form, 'visitor'), text(form, 'on')]
  if (!name || name.length > 30 || !/^\d{4}-\d{2}-\d{2}$/.test(on)) return 'incomplete'
  if (state.visitors.filter((one) => one.username === username).length >= maxVisitors) return 'full'
  state.visitors.push({ id: crypto.randomUUID(), username, name, on })
  save()
  return 'registered'
}
