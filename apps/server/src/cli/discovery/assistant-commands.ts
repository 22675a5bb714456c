import { sendable } from '@atrium/contract/discovery/assistant.operator'
import type { Command } from 'commander'
import { addressIssue, modelOf } from '#domains/discovery/assistant/assistant.ts'
import { callModel, ModelError } from '#domains/discovery/assistant/model-client.ts'
import { readModel, type Settings, updateModel } from '#domains/discovery/assistant/queries.ts'
import { StartError } from '#platform/environment.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { withInstallation } from '../installation.ts'
import { readStdin } from '../prompt.ts'
import { wholeNumber } from './options.ts'

type Options = {
  address?: string
  model?: string
  sends?: string[]
  perMember?: string
  tokens?: string
  seconds?: string
  keyStdin?: boolean
  enable?: boolean
  disable?: boolean
}

/** Commands for the model of the assistant. */
export function addAssistantCommands(program: Command) {
  const group = program.command('assistant').description('the model of the AI assistant')
  group
    .command('show')
    .description('show its settings, without its key')
    .addHelpText('after', '\nExample:\n  npx atrium assistant show')
    .action(() =>
      withInstallation('current', async ({ db }) => console.log(say(await readModel(db)))),
    )
  group
    .command('set')
    .description('change its settings; what is not given stays unchanged')
    .option('--address <url>', 'the OpenAI-compatible API, such as https://models.example.edu/v1')
    .option('--model <name>', 'the name of the model there')
    .option('--sends <kinds...>', `what may be sent to it: ${sendable.join(', ')}`)
    .option('--per-member <number>', 'questions per day of one member')
    .option('--tokens <number>', 'tokens per day of all members together')
    .option('--seconds <number>', 'timeout for its first word, and for each next one')
    .option('--key-stdin', 'read its key from standard input; empty input removes the key')
    .option('--enable', 'members may ask it')
    .option('--disable', 'the portal answers without it')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium assistant set --address https://models.example.edu/v1 --model qwen3 --key-stdin --enable < key.txt
  npx atrium assistant set --per-member 30 --sends question guide service
  npx atrium assistant set --disable`,
    )
    .action(set)
  group
    .command('test')
    .description('ask it for one word')
    .addHelpText('after', '\nExample:\n  npx atrium assistant test')
    .action(test)
}

const say = ({ sealedKey, ...settings }: Settings) =>
  [
    `${settings.enabled ? 'on' : 'off'}: ${settings.model || 'no model'} at ${settings.address || 'no address'}${sealedKey === null ? '' : ', with a key'}`,
    `sends: ${settings.sends.join(', ') || 'nothing'}`,
    `limits per day: ${settings.dailyPerMember} questions per member, ${settings.dailyTokens} tokens in total`,
    `timeout ${settings.seconds} s`,
  ].join('\n')

function set(options: Options) {
  if (options.enable && options.disable)
    throw new StartError('Give only one of --enable and --disable.')
  return withInstallation('current', async ({ db, env }) => {
    const before = await readModel(db)
    const settings = {
      address: options.address?.trim() ?? before.address,
      model: options.model?.trim() ?? before.model,
      enabled: options.enable ?? (options.disable ? false : before.enabled),
      sends: options.sends ? kindsOf(options.sends) : before.sends,
      dailyPerMember:
        wholeNumber('per-member', options.perMember, 0, 10_000) ?? before.dailyPerMember,
      dailyTokens: wholeNumber('tokens', options.tokens, 0, 1_000_000_000) ?? before.dailyTokens,
      seconds: wholeNumber('seconds', options.seconds, 2, 120) ?? before.seconds,
    }
    const issue = addressIssue(settings.address, settings.enabled, env.ATRIUM_OUTBOUND_ALLOW)
    if (issue === 'closed')
      throw new StartError(
        '--address is inside the institution’s network, and ATRIUM_OUTBOUND_ALLOW does not allow it.',
      )
    if (issue)
      throw new StartError(
        '--address must be an http or https address without a username and password in it.',
      )
    if (settings.enabled && !settings.model)
      throw new StartError('--model must be given before it is enabled.')
    const key = options.keyStdin ? (await readStdin()).trim() : undefined
    const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
    await updateModel(db, secret, settings, key)
    console.log(say(await readModel(db)))
  })
}

function kindsOf(names: readonly string[]): Settings['sends'] {
  return names.map((name) => {
    const kind = sendable.find((one) => one === name)
    if (!kind) throw new StartError(`--sends: ${name} is not one of ${sendable.join(', ')}.`)
    return kind
  })
}

const test = () =>
  withInstallation('current', async ({ db, env }) => {
    const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
    const model = modelOf(secret, await readModel(db))
    if (!model) throw new StartError('No AI model is set up. Use npx atrium assistant set.')
    const began = performance.now()
    let first: number | undefined
    try {
      await callModel(
        model,
        { messages: [{ role: 'user', content: 'Say: ok' }], maxTokens: 16 },
        {
          allow: env.ATRIUM_OUTBOUND_ALLOW,
          signal: new AbortController().signal,
          onText() {
            first ??= Math.round(performance.now() - began)
          },
        },
      )
    } catch (error) {
      if (error instanceof ModelError) throw new StartError(error.message)
      throw error
    }
    console.log(`It answers; its first word came after ${first ?? '?'} ms.`)
  })
