import { type LtiTool, type LtiToolFields, ltiScopes } from '@atrium/contract/learning/lti'
import type { Command } from 'commander'
import { platformFacts } from '#domains/learning/lti/handlers.ts'
import {
  createTool,
  getTool,
  listTools,
  removeTool,
  updateTool,
} from '#domains/learning/lti/tools.ts'
import { StartError } from '#platform/environment.ts'
import { withInstallation } from '../installation.ts'
import { withTerminalErrors } from '../terminal-errors.ts'

type Options = {
  name?: string
  nameEn?: string
  login?: string
  launch?: string
  redirectUri?: string[]
  choose?: string
  jwks?: string
  scope?: (keyof typeof ltiScopes)[]
  tellsName?: boolean
  tellsEmail?: boolean
  disable?: boolean
  enable?: boolean
}

export function addLtiCommands(program: Command) {
  const group = program.command('lti').description('LTI 1.3 tools that courses use')
  group
    .command('platform')
    .description('show what a tool has to know about this platform')
    .addHelpText('after', '\nExample:\n  npx atrium lti platform')
    .action(() =>
      withInstallation('current', async ({ env }) => {
        const origin = env.ATRIUM_PUBLIC_URL
          ? new URL(env.ATRIUM_PUBLIC_URL).origin
          : `http://localhost:${env.PORT}`
        for (const [name, value] of Object.entries(platformFacts({ origin: () => origin })))
          console.log(`${name}  ${value}`)
      }),
    )
  group
    .command('list')
    .description('list all')
    .addHelpText('after', '\nExample:\n  npx atrium lti list')
    .action(() =>
      withInstallation('current', async ({ db }) => {
        for (const tool of await listTools(db)) console.log(linesOf(tool))
      }),
    )
  const fields = (command: Command) =>
    command
      .option('--name <text>', 'its name')
      .option('--name-en <text>', 'its English name')
      .option('--login <address>', 'initiates a login')
      .option('--launch <address>', 'its target link, opened by a launch')
      .option('--redirect-uri <address...>', 'allowed redirect URIs of launches')
      .option('--choose <address>', 'deep linking: where teachers choose what to link; "" for none')
      .option('--jwks <address>', 'the address of its public keys')
      .option('--scope <scope...>', `what it may access: ${Object.keys(ltiScopes).join(', ')}`)
      .option('--tells-name', 'it receives names')
      .option('--tells-email', 'it receives mail addresses')
      .option('--disable', 'turn it off')
      .option('--enable', 'turn it on again')
  fields(group.command('add').description('register a tool, and show the values it needs'))
    .addHelpText(
      'after',
      `
Example:
  npx atrium lti add --name 在线测验 --login https://quiz.example.edu/login --launch https://quiz.example.edu/ \\
    --redirect-uri https://quiz.example.edu/launch --jwks https://quiz.example.edu/jwks --scope score lineItem`,
    )
    .action((options: Options) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          for (const needed of ['name', 'login', 'launch', 'redirectUri', 'jwks'] as const)
            if (!options[needed])
              throw new StartError(
                `A tool needs --${needed === 'redirectUri' ? 'redirect-uri' : needed}.`,
              )
          console.log(linesOf(await createTool(db, changed(undefined, options))))
        }),
      ),
    )
  fields(group.command('change <id>').description('change a tool'))
    .addHelpText('after', '\nExample:\n  npx atrium lti change 3 --disable')
    .action((id: string, options: Options) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          const before = await getTool(db, idOf(id))
          console.log(linesOf(await updateTool(db, id, changed(before, options))))
        }),
      ),
    )
  group
    .command('remove <id>')
    .description('remove a tool that no course uses')
    .addHelpText('after', '\nExample:\n  npx atrium lti remove 3')
    .action((id: string) =>
      withInstallation('current', ({ db }) =>
        withTerminalErrors(async () => {
          await db.transaction().execute((db) => removeTool(db, idOf(id)))
          console.log(`${id} was removed.`)
        }),
      ),
    )
}

function idOf(id: string) {
  if (!/^\d{1,18}$/.test(id)) throw new StartError(`${id} is not an id; see npx atrium lti list.`)
  return id
}

function changed(before: LtiTool | undefined, options: Options): LtiToolFields {
  const scopes = options.scope?.map((name) => {
    const scope = ltiScopes[name]
    if (!scope)
      throw new StartError(
        `There is no scope ${name}. There are: ${Object.keys(ltiScopes).join(', ')}.`,
      )
    return scope
  })
  const given = [options.login, options.launch, options.choose, options.jwks]
  for (const address of [...given, ...(options.redirectUri ?? [])])
    if (address && !(/^https?:\/\//.test(address) && URL.canParse(address)))
      throw new StartError(`${address} is not an address that begins with https://.`)
  return {
    name: options.name ?? before?.name ?? '',
    nameEn: options.nameEn ?? before?.nameEn ?? '',
    initiateUrl: options.login ?? before?.initiateUrl ?? '',
    targetUrl: options.launch ?? before?.targetUrl ?? '',
    redirectUris: options.redirectUri ?? before?.redirectUris ?? [],
    deepLinkUrl: options.choose ?? before?.deepLinkUrl ?? '',
    jwksUrl: options.jwks ?? before?.jwksUrl ?? '',
    jwks: before?.jwks ?? null,
    scopes: scopes ?? before?.scopes ?? [],
    custom: before?.custom ?? {},
    tellsName: options.tellsName ?? before?.tellsName ?? false,
    tellsEmail: options.tellsEmail ?? before?.tellsEmail ?? false,
    enabled: options.enable ?? (options.disable ? false : (before?.enabled ?? true)),
  }
}

const linesOf = (tool: LtiTool) =>
  `${tool.id}  ${tool.name}${tool.enabled ? '' : ' (off)'}, in ${tool.links} materials
    client id      ${tool.clientId}
    deployment id  ${tool.deploymentId}
    login          ${tool.initiateUrl}
    launch         ${tool.targetUrl}`
