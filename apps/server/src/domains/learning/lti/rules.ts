/** The common Chinese surnames of two characters; left out are those that are more often a surname and a given name. */
const compoundSurnames = new Set(
  (
    '欧阳 上官 司马 诸葛 夏侯 东方 皇甫 尉迟 公孙 慕容 令狐 长孙 宇文 司徒 端木 南宫 司空 独孤 轩辕 呼延 淳于 濮阳 申屠 ' +
    '闾丘 赫连 澹台 钟离 鲜于 拓跋 万俟 完颜 纳兰 歐陽 司馬 諸葛 東方 尉遲 公孫 長孫 南宮 獨孤 軒轅 濮陽 閭丘 赫連 澹臺 鍾離 鮮于 ' +
    '萬俟 完顏 納蘭'
  ).split(' '),
)

/**
 * Given and family name of a person. Chinese names start with the family name; names in Latin script, and those with a
 * middle dot, end with it. The family name is empty if there is only one name.
 * @param nameEn preferred if it has two parts
 */
export function splitName(name: string, nameEn: string): { given: string; family: string } {
  const text = (/\S\s+\S/.test(nameEn) ? nameEn : name).trim()
  const [, family = '', given = ''] = /^(\p{Script=Han}+)\s+(\p{Script=Han}+)$/u.exec(text) ?? []
  if (family) return { given, family }
  const last = /[\s·•・]+([^\s·•・]+)$/u.exec(text)
  if (last && last.index > 0) return { given: text.slice(0, last.index), family: last[1] ?? '' }
  if (!/^\p{Script=Han}{2,}$/u.test(text)) return { given: text, family: '' }
  const characters = [...text]
  const compound = characters.length > 2 && compoundSurnames.has(characters.slice(0, 2).join(''))
  const length = compound ? 2 : 1
  return {
    given: characters.slice(length).join(''),
    family: characters.slice(0, length).join(''),
  }
}
