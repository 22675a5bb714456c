/** Trusted markup; everything else is escaped. */
class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export type Html = Markup

type Part = Markup | string | number | false | undefined | readonly Part[]

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const textOf = (part: Part): string => {
  if (part === false || part === undefined) return ''
  if (part instanceof Markup) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return String(part).replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '')
}

/** A fragment of a page: html`<p>${value}</p>` escapes the value. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Markup(strings.map((string, index) => string + textOf(parts[index])).join(''))

export type Language = 'zh' | 'en'
/** A text in both languages. */
export type Words = Record<Language, string>

/** A complete page in the portal's style. */
export function page(
  language: Language,
  {
    title,
    back,
    body,
    name,
  }: { title: string; back: string | undefined; body: Html; name?: string },
): string {
  const other = language === 'zh' ? ['en', 'English'] : ['zh', '中文']
  return html`<!doctype html>
<html lang="${language === 'zh' ? 'zh-CN' : 'en'}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${title}</title>
<link rel="stylesheet" href="/campus.css">
<link rel="icon" href="data:,">
</head>
<body>
<header>
${back ? html`<a class="back" href="${back}">${language === 'zh' ? '返回门户' : 'To the portal'}</a>` : ''}
${back ? html`<h1>${title}</h1>` : html`<h1 class="unseen">${title}</h1>`}
<a class="language" href="?language=${other[0]}" lang="${other[0]}" hreflang="${other[0]}">${other[1]}</a>
</header>
<main>${body}</main>
<footer>${name ? html`<p>${name}</p>` : ''}<p>${language === 'zh' ? '江岚大学演示系统' : 'Demo systems of Jianglan University'}</p></footer>
</body>
</html>`.text
}

export const css = `
:root { color-scheme: light dark; --brand: #004ea1; --text: #3a3c40; --text-2: #5f646d; --surface: #fff; --page: #f6f6f6; --line: #e6e8ec; --tint: #eaf2fb; --danger: #c0362c; --success: #18794e; }
@media (prefers-color-scheme: dark) { :root { --brand: #8ab8f0; --text: #e4e6ea; --text-2: #a5abb5; --surface: #1d2026; --page: #14161a; --line: #2c3038; --tint: #1f2c3d; --danger: #f08a80; --success: #6cc79c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, "PingFang SC", "Noto Sans CJK SC", sans-serif; overflow-wrap: anywhere; }
a { color: var(--brand); }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0 12px; padding: 4px 16px; border-bottom: 1px solid var(--line); background: var(--surface); }
header h1:not(.unseen) { flex: 1; margin: 0; font-size: 17px; text-align: center; }
header:has(.unseen) { justify-content: flex-end; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header a { display: flex; align-items: center; min-height: 44px; font-size: 14px; text-decoration: none; }
main { max-width: 640px; margin: 0 auto; padding: 16px; }
section, form.card { margin: 0 0 16px; padding: 16px; border-radius: 12px; background: var(--surface); }
h2 { margin: 0 0 8px; font-size: 16px; }
p { margin: 0 0 8px; }
p:last-child { margin: 0; }
.muted, footer { color: var(--text-2); font-size: 14px; }
.number { font-variant-numeric: tabular-nums; }
ul { margin: 0; padding: 0; list-style: none; }
li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 12px; padding: 12px 0; border-top: 1px solid var(--line); }
li:first-child { border-top: 0; }
li > div { flex: 1 1 10rem; min-width: 0; }
a.row { flex: 1; display: flex; align-items: center; min-height: 44px; text-decoration: none; }
label { display: block; margin: 0 0 12px; font-size: 14px; color: var(--text-2); }
input, select, textarea { display: block; width: 100%; min-height: 44px; margin-top: 4px; padding: 8px 12px; border: 1px solid #8a9099; border-radius: 8px; background: var(--surface); color: var(--text); font: inherit; font-size: 16px; }
button { min-height: 44px; padding: 8px 20px; border: 0; border-radius: 22px; background: var(--brand); color: var(--surface); font: inherit; cursor: pointer; }
button.plain { background: var(--tint); color: var(--brand); }
:focus-visible { outline: 2px solid var(--brand); outline-offset: 2px; }
.figure { font-size: 26px; }
.choices { display: flex; flex-wrap: wrap; gap: 8px; margin: 0 0 8px; }
.notice { padding: 12px 16px; border-radius: 12px; background: var(--tint); margin: 0 0 16px; }
.state { font-size: 14px; }
.state.good { color: var(--success); }
.state.bad { color: var(--danger); }
footer { padding: 0 16px 24px; text-align: center; }
`
