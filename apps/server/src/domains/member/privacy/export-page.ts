import type { Row } from '#platform/personal-data.ts'
import { html } from '#platform/text/html.ts'

export type Section = { table: string; title: { zh: string; en: string }; rows: Row[] }

/** Chinese labels for columns members know; other columns show their own name. */
const labels: Record<string, string> = {
  name: '姓名',
  name_en: '英文名',
  mobile: '手机',
  email: '邮箱',
  external_key: '学工号',
  username: '用户名',
  identity: '身份',
  organization: '单位',
  status: '状态',
  created_at: '创建时间',
  updated_at: '更新时间',
  requested_at: '申请时间',
  happened_at: '时间',
  occurred_at: '时间',
  sent_at: '发送时间',
  read_at: '阅读时间',
  done_at: '完成时间',
  last_seen_at: '最近使用',
  last_used_at: '最近使用',
  expires_at: '到期时间',
  revoked_at: '结束时间',
  starts_local: '开始时间',
  time_zone: '时区',
  device: '设备',
  address: 'IP 地址',
  place: '地点',
  way: '登录方式',
  result: '结果',
  title: '标题',
  content: '内容',
  sender: '发送方',
  service: '服务',
  use_count: '使用次数',
  calendar: '日历',
  location: '地点',
  description: '说明',
  group: '群组',
  permission: '权限',
  kind: '种类',
  value: '内容',
}

const formatValue = (value: unknown) => {
  if (value === null || value === undefined || value === '')
    return html`<span class="none">–</span>`
  if (typeof value === 'object') return html`<code>${JSON.stringify(value)}</code>`
  return html`${String(value)}`
}

const formatHeading = (column: string) =>
  labels[column] ? html`${labels[column]} <small>${column}</small>` : html`${column}`

/** The exported page with everything in tables, without scripts or external resources. */
export function personalPage(sections: Section[], about: { school: string; at: Date }): string {
  const list = sections.map(
    ({ table, title, rows }) =>
      html`<li><a href="#${table}">${title.zh} · ${title.en}</a> <span class="none">${rows.length}</span></li>`,
  )

  return String(html`<!doctype html>
<html lang="zh-CN">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>个人信息 · Personal data</title>
<style>
body { margin: 0 auto; padding: 24px 16px; max-width: 960px; font: 15px/1.6 system-ui, sans-serif; color: #3a3c40; background: #fff; }
h1 { font-size: 22px; } h2 { margin-top: 40px; font-size: 17px; }
ul { padding: 0; list-style: none; columns: 2 280px; } a { color: #004ea1; }
.table { overflow-x: auto; } table { border-collapse: collapse; font-size: 14px; }
th, td { padding: 6px 10px; border: 1px solid #e6e8ec; text-align: left; vertical-align: top; min-width: 72px; max-width: 420px; overflow-wrap: anywhere; }
th { background: #f6f6f6; } small, .none { color: #6b7079; font-weight: 400; }
@media (prefers-color-scheme: dark) { body { color: #e6e8ec; background: #15171a; } th { background: #22252a; } th, td { border-color: #3a3f46; } a { color: #8fbdf5; } small, .none { color: #a3a9b2; } }
</style>
</head>
<body>
<h1>个人信息 <span lang="en">Personal data</span></h1>
<p>${about.school} · <time>${about.at.toISOString()}</time></p>
<p>这里是门户保存的关于你的全部信息，时间均为协调世界时（UTC）。同样的内容可供程序读取：<code>data.json</code>。<br>
<span lang="en">Everything the portal stores about you; times are in UTC. The same data for programs: <code>data.json</code>.</span></p>
<ul>
${list}
</ul>
${sections.map(sectionOf)}
</body>
</html>
`)
}

function sectionOf({ table, title, rows }: Section) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const body =
    rows.length === 0
      ? html`<p class="none">没有记录 · Nothing</p>`
      : html`<div class="table"><table><thead><tr>${columns.map((column) => html`<th scope="col">${formatHeading(column)}</th>`)}</tr></thead>
<tbody>
${rows.map((row) => html`<tr>${columns.map((column) => html`<td>${formatValue(row[column])}</td>`)}</tr>`)}
</tbody></table></div>`
  return html`<h2 id="${table}">${title.zh} <span lang="en">${title.en}</span></h2>${body}`
}
