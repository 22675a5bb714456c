import { translatable } from '@atrium/contract/discovery/translation'
import type { Command } from 'commander'
import { addressIssue } from '#domains/discovery/assistant/assistant.ts'
import {
  readService,
  type Settings,
  updateService,
} from '#domains/discovery/translation/queries.ts'
import { translatorOf } from '#domains/discovery/translation/translate.ts'
import {
  requestTranslation,
  TranslatorError,
} from '#domains/discovery/translation/translate-client.ts'
import { StartError } from '#platform/environment.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { withInstallation } from '../installation.ts'
import { readStdin } from '../prompt.ts'
import { wholeNumber } from './options.ts'

type Options = {
  address?: string
  kinds?: string[]
  chinese?: string
  perMember?: string
  characters?: string
  longest?: string
  seconds?: string
  keyStdin?: boolean
  enable?: boolean
  disable?: boolean
}
const chinese = ['zh', 'zh-Hans', 'zh-CN'] as const

/** Commands for the machine translation service. */
export function addTranslationCommands(program: Command) {
  const group = program
    .command('translation')
    .description('the translation service for articles and messages')
  group
    .command('show')
    .description('show its settings, without its key')
    .addHelpText('after', '\nExample:\n  npx atrium translation show')
    .action(() =>
      withInstallation('current', async ({ db }) => console.log(say(await readService(db)))),
    )
  group
    .command('set')
    .description('change its settings; what is not given stays unchanged')
    .option(
      '--address <url>',
      'the LibreTranslate-compatible API; texts are sent to /translate below it',
    )
    .option('--kinds <kinds...>', `what may be sent to it: ${translatable.join(', ')}`)
    .option('--chinese <code>', `its language code for Chinese: ${chinese.join(', ')}`)
    .option('--per-member <number>', 'characters per day of one member')
    .option('--characters <number>', 'characters per day of all members together')
    .option('--longest <number>', 'characters of one text, including its markup')
    .option('--seconds <number>', 'timeout for its answer')
    .option('--key-stdin', 'read its key from standard input; empty input removes the key')
    .option('--enable', 'members are offered translations')
    .option('--disable', 'nothing is translated')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium translation set --address https://translate.example.edu --key-stdin --enable < key.txt
  npx atrium translation set --kinds article message --per-member 50000
  npx atrium translation set --disable`,
    )
    .action(set)
  group
    .command('test')
    .description('translate one word')
    .addHelpText('after', '\nExample:\n  npx atrium translation test')
    .action(test)
}

const say = ({ sealedKey, ...settings }: Settings) =>
  [
    `${settings.enabled ? 'on' : 'off'}: ${settings.address || 'no address'}${sealedKey === null ? '' : ', with a key'}`,
    `translates: ${settings.kinds.join(', ') || 'nothing'}; code for Chinese: ${settings.chinese}`,
    `limits: ${settings.maxCharacters} characters per text; per day ${settings.dailyPerMember} per member and ${settings.dailyCharacters} in total`,
    `timeout ${settings.seconds} s`,
  ].join('\n')

function set(options: Options) {
  if (options.enable && options.disable)
    throw new StartError('Give only one of --enable and --disable.')
  return withInstallation('current', async ({ db, env }) => {
    const { sealedKey: _, ...before } = await readService(db)
    const settings = {
      address: options.address?.trim() ?? before.address,
      enabled: options.enable ?? (options.disable ? false : before.enabled),
      kinds: options.kinds?.map((one) => oneOf('kinds', one, translatable)) ?? before.kinds,
      chinese: options.chinese ? oneOf('chinese', options.chinese, chinese) : before.chinese,
      maxCharacters: wholeNumber('longest', options.longest, 100, 100_000) ?? before.maxCharacters,
      dailyPerMember:
        wholeNumber('per-member', options.perMember, 0, 10_000_000) ?? before.dailyPerMember,
      dailyCharacters:
        wholeNumber('characters', options.characters, 0, 1_000_000_000) ?? before.dailyCharacters,
      seconds: wholeNumber('seconds', options.seconds, 2, 60) ?? before.seconds,
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
    const key = options.keyStdin ? (await readStdin()).trim() : undefined
    await updateService(db, secretOf(env), settings, key)
    console.log(say(await readService(db)))
  })
}

type Env = Parameters<Parameters<typeof withInstallation>[1]>[0]['env']
const secretOf = (env: Env) => openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))

function oneOf<K extends string>(option: string, given: string, known: readonly K[]): K {
  const found = known.find((one) => one === given)
  if (!found) throw new StartError(`--${option}: ${given} is not one of ${known.join(', ')}.`)
  return found
}

const test = () =>
  withInstallation('current', async ({ db, env }) => {
    const translator = translatorOf(secretOf(env), await readService(db))
    if (!translator)
      throw new StartError('No translation service is set up. Use npx atrium translation set.')
    try {
      const [text = ''] = await requestTranslation(
        translator,
        { pieces: ['你好'], from: 'zh', to: 'en' },
        env.ATRIUM_OUTBOUND_ALLOW,
      )
      console.log(`It translates 你好 as: ${text.slice(0, 200)}`)
    } catch (error) {
      if (error instanceof TranslatorError) throw new StartError(error.message)
      throw error
    }
  })
