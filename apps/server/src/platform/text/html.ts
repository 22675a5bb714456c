import { html as escaping, raw } from 'hono/html'
import type { HtmlEscaped } from 'hono/utils/html'

/** HTML that a template made, which another one takes as it is. No text: `String(page)` is what is sent. */
export type Html = object & HtmlEscaped
type Value = string | number | false | undefined | Html | readonly Html[]

/** A piece of HTML. Texts are escaped, for between tags and for attributes in quotes; what is false or missing is left out. */
export const html = (strings: TemplateStringsArray, ...values: Value[]): Html =>
  // A promise comes where one is among the values, which their types exclude.
  escaping(strings, ...values) as unknown as Html

/** What is HTML already and was made by no template of ours. */
export const trustedHtml = (text: string): Html => raw(text) as unknown as Html
