import { OutboundError } from '#platform/outbound/outbound.ts'
import { postExternal } from '#platform/outbound/post-external.ts'

/** Why a translator gave no translation. */
export type TranslatorFault = 'down' | 'slow' | 'not_usable'
export class TranslatorError extends Error {
  readonly fault: TranslatorFault
  constructor(fault: TranslatorFault, message: string) {
    super(message)
    this.fault = fault
  }
}

export type Translator = {
  address: string
  key: string | undefined
  /** the service's code for Chinese */
  chinese: string
  seconds: number
}
type Language = 'zh' | 'en'

/** Maximum length of a translation. */
const maxLengthFor = (text: string) => text.length * 6 + 1000

/**
 * Translates pieces of HTML with the LibreTranslate protocol: one POST to /translate for all.
 * @returns the same number of pieces, not sanitised
 * @throws TranslatorError
 */
export async function requestTranslation(
  { address, key, chinese, seconds }: Translator,
  { pieces, from, to }: { pieces: readonly string[]; from: Language; to: Language },
  allow: string | undefined,
): Promise<string[]> {
  const nameOf = (language: Language) => (language === 'zh' ? chinese : language)
  const timeoutSignal = AbortSignal.timeout(seconds * 1000)
  try {
    const answer = await postExternal(`${address.replace(/\/+$/, '')}/translate`, {
      allow,
      signal: timeoutSignal,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({
        q: pieces,
        source: nameOf(from),
        target: nameOf(to),
        format: 'html',
        ...(key && { api_key: key }),
      }),
    })
    if (answer.status !== 200)
      throw new TranslatorError(
        'down',
        `The translation service refused the request (status ${answer.status}).`,
      )
    const maxCharacters = pieces.reduce((sum, piece) => sum + maxLengthFor(piece), 0)
    return readPieces(await readText(answer.body, maxCharacters * 4), pieces)
  } catch (error) {
    if (error instanceof TranslatorError) throw error
    if (timeoutSignal.aborted)
      throw new TranslatorError(
        'slow',
        `The translation service did not finish within ${seconds} s.`,
      )
    if (error instanceof OutboundError) throw new TranslatorError('down', error.message)
    throw new TranslatorError(
      'down',
      `The translation was interrupted: ${(error as Error).message}.`,
    )
  }
}

async function readText(body: AsyncIterable<Buffer>, maxBytes: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new TranslatorError('not_usable', 'The translation is too long.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function readPieces(text: string, pieces: readonly string[]) {
  let answer: unknown
  try {
    answer = JSON.parse(text)
  } catch {
    throw new TranslatorError('not_usable', 'The translation service’s answer is not JSON.')
  }
  const { translatedText: list } = (answer ?? {}) as { translatedText?: unknown }
  const isValid =
    Array.isArray(list) &&
    list.length === pieces.length &&
    list.every(
      (one, index) =>
        typeof one === 'string' &&
        one.trim() !== '' &&
        one.length <= maxLengthFor(pieces[index] as string),
    )
  if (!isValid)
    throw new TranslatorError('not_usable', 'The translation service did not translate every part.')
  return list as string[]
}
