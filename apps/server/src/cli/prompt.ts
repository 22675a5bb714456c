import { sendable } from '@atrium/contract/define'
import { StartError } from '#platform/environment.ts'

/** Prompts on the terminal without echo. */
export function promptHidden(question: string): Promise<string> {
  const { stdin, stderr } = process
  stderr.write(question)
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = () => {
      stdin.setRawMode(false)
      stdin.pause()
      stdin.off('data', hear)
      stderr.write('\n')
    }
    const hear = (chunk: string) => {
      for (const character of chunk) {
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return resolve(typed)
        }
        if (character === '\u0003') {
          end()
          return reject(new StartError('Stopped. Nothing was changed.'))
        }
        if (character === '\u007f' || character === '\b') typed = [...typed].slice(0, -1).join('')
        else if (character >= ' ') typed += character
      }
    }
    stdin.setRawMode(true)
    stdin.setEncoding('utf8')
    stdin.on('data', hear)
    stdin.resume()
  })
}

/** Reads all of standard input, without the final line break. */
export async function readStdin(): Promise<string> {
  let text = ''
  process.stdin.setEncoding('utf8')
  for await (const chunk of process.stdin) text += chunk
  return text.replace(/\r?\n$/, '')
}

/** Reads a secret for another system from standard input. @throws StartError if a header cannot contain it */
export async function readSecretStdin(): Promise<string> {
  const secret = await readStdin()
  if (!new RegExp(sendable).test(secret))
    throw new StartError(
      'The secret is sent in HTTP headers: use only ASCII letters, digits and symbols, without spaces at either end.',
    )
  return secret
}
