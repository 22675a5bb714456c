import { StartError } from '#platform/environment.ts'
import { errorText, fieldTexts, Refusal } from '#platform/http/errors.ts'

/** Runs code shared with the API and turns a `Refusal` into a sentence for the terminal. @throws StartError */
export async function withTerminalErrors(work: () => Promise<void>) {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const fields = Object.entries(fieldTexts(error.fields ?? {}, 'en'))
    if (fields.length === 0) throw new StartError(errorText(error.code, 'en'))
    throw new StartError(
      `${fields.map(([field, text]) => `${field} ${text}`).join('; ')}. Nothing was changed.`,
    )
  }
}
