import { expect, test } from 'vitest'
import { shortenText, textsRuntime } from './first-screen.ts'

/** As the compiler writes it, without the types in its comments. */
const compiled = `/* eslint-disable */
import { getLocale, experimentalStaticLocale } from '../runtime.js';
const zh_do_named = /** @type {Text} */ (i) => {
	return /** @type {LocalizedString} */ (\`\${i?.action}：\${i?.name}\`)
};
const en_do_named = /** @type {Text} */ (i) => {
	return /** @type {LocalizedString} */ (\`\${i?.action}: \${i?.name}\`)
};
export const do_named = /** @type {Text} */ ((inputs, options = {}) => {
	const locale = experimentalStaticLocale ?? options.locale ?? getLocale()
	if (locale === "en") return en_do_named(inputs)
	return zh_do_named(inputs)
});`

test('a shortened message uses the current language, or the one passed in its options', async () => {
  const [imported, ...rest] = shortenText(compiled).split('\n')
  expect(imported).toBe("import { getLocale } from '../runtime.js'")
  const { do_named, overwriteGetLocale } = await import(
    `data:text/javascript,${encodeURIComponent([textsRuntime, ...rest].join('\n'))}`
  )
  const input = { action: 'a', name: 'b' }
  overwriteGetLocale(() => 'zh')
  expect(do_named(input)).toBe('a：b')
  expect(do_named(input, { locale: 'en' })).toBe('a: b')
  overwriteGetLocale(() => 'en')
  expect(do_named(input)).toBe('a: b')
  expect(do_named(input, { locale: 'zh' })).toBe('a：b')
})

test('a message of another form is left unchanged', () => {
  expect(shortenText('export const counted = () => plural()')).toBe(
    'export const counted = () => plural()',
  )
})
