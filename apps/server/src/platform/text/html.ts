import { html as escaping, raw } from 'hono/html'
import type { HtmlEscaped } from 'hono/utils/html'

/** HTML from a template, which other templates insert unescaped. Not a string: send `String(page)`. */
export type Html = object & HtmlEscaped
type Value = string | number | false | undefined | Html | readonly Html[]

/** A template for HTML. Strings are escaped for text and quoted attributes; false and undefined are omitted. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  // Returns a promise only if a value is one, which the types exclude.
  escaping(strings, ...values) as unknown as Html

/** Marks text from elsewhere as HTML that needs no escaping. */
export const trustedHtml = (text: string): Html => raw(text) as unknown as Html
