import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { feedText, repairTruncatedFeed } from '#domains/content/news/feed-text.ts'
import { distinct, type Feed, readFeed, writeArticles } from '#domains/content/news/import-feed.ts'
import { readFolder } from '#domains/content/news/import-folder.ts'
import { withCopiedPictures } from '#domains/content/news/import-pictures.ts'
import {
  identityTypeFields,
  importIdentityTypes,
} from '#domains/identity/members/import-identity-types.ts'
import { importMembers } from '#domains/identity/members/import-members.ts'
import {
  importOrganizations,
  organizationFields,
} from '#domains/identity/members/import-organizations.ts'
import { memberFields } from '#domains/identity/members/member-fields.ts'
import { importServices, serviceFields } from '#domains/services/services/import-services.ts'
import { importPlaces, placeFields } from '#domains/shell/map/import-places.ts'
import { importMessages, messageFields } from '#domains/work/messages/import-messages.ts'
import { importCalendar } from '#domains/work/schedule/import-calendar.ts'
import { readAudience } from '#platform/audience-text.ts'
import { StartError } from '#platform/environment.ts'
import { runImport } from '#platform/ingest/import.ts'
import { readTextFile, sizeOf } from '#platform/ingest/text-file.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import { openSecret, readSecret } from '#platform/secret.ts'
import { readSettings } from '#platform/settings/settings.ts'
import { openFiles } from '#platform/storage/files.ts'
import { addKnowledgeImports } from './discovery/knowledge-commands.ts'
import { openReport } from './import-report.ts'
import { type Installation, withInstallation } from './installation.ts'
import { addPersonalImports } from './member/personal-commands.ts'
import { addEncodingOption, addRunOptions, type RunOptions, table } from './table-command.ts'
import { addTimetableCommands } from './timetable-commands.ts'

const maxCalendar = 50_000_000
const maxFeedBytes = 50_000_000

export function addImportCommands(program: Command) {
  const group = program
    .command('import')
    .description(
      'import members, organisations, services, places, timetables, messages, news, questions and calendars from files',
    )
    .addHelpText(
      'after',
      `
Importing the same file again changes nothing; a newer file changes only what differs. Rows with an issue are reported with
their line, left out and counted; all other rows are written together, or none.

Tables may be CSV with comma, semicolon or tab, the first sheet of an Excel workbook (.xlsx), or JSON: an array of objects (up
to 50 MB) or one object per line. The first line contains the column names, in English or Chinese; --map "theirs=ours" maps
other names. Text is UTF-8, UTF-16 with a byte order mark, GB18030 (what Excel writes in China) or Big5. If the encoding cannot
be detected with certainty, the file is refused; set it with --encoding.

Only one import runs on a database at a time: --wait waits for a running one instead of failing.

Exit code: 0 done, 1 nothing was written, 2 usage error, 3 done, but rows with an issue were left out.`,
    )

  addTables(group)
  addTimetableCommands(group)
  addPersonalImports(group)
  addKnowledgeImports(group)

  addRunOptions(
    group
      .command('news <address>')
      .description(
        'articles of an RSS, RDF, Atom or JSON feed (a file or an http(s) address), or of a folder of Markdown and HTML files',
      ),
  )
    .requiredOption('--column <code>', 'the column of the articles; created if it does not exist')
    .option('--column-name <name>', 'the name of a column created by this import')
    .option('--site <address>', 'the site of a feed that does not name it (channel link)')
    .option(
      '--public',
      'visitors without an account may read a column created by this import; default: members only',
    )
    .addHelpText(
      'after',
      `
Examples:
  npx atrium import news https://news.example.edu/rss.xml --column campus --column-name 校园新闻 --public
  npx atrium import news notices.xml --column notices --dry-run
  npx atrium import news ./handbook --column handbook --column-name 新生手册

Pictures are copied, so that readers load them from this server; one that cannot be fetched is left out. A file of a folder
may start with its title, date, author and summary between two lines of ---.`,
    )
    .action(news)

  addEncodingOption(
    addRunOptions(group.command('calendar <file.ics>').description('events of an iCalendar file')),
  )
    .option(
      '--calendar <name>',
      'the name of the calendar; importing again with the same name updates it',
    )
    .option(
      '--audience <who>',
      'who sees it: everybody, guests, public, identity:CODE, organization:CODE, group:CODE; several with ;',
    )
    .option('--owner <username>', 'the owner of a personal calendar, instead of --audience')
    .option('--prune', 'delete events of an earlier file that are not in this one')
    .addHelpText(
      'after',
      `
Examples:
  npx atrium import calendar year.ics --calendar 校历 --audience everybody
  npx atrium import calendar lab.ics --calendar "Lab bookings" --audience "organization:CS;group:lab"
  npx atrium import calendar mine.ics --calendar 个人 --owner 20260001`,
    )
    .action(calendar)
}

function addTables(group: Command) {
  table(
    group,
    'identities',
    'identity types: the values of the column identityType',
    importIdentityTypes,
    identityTypeFields,
    ['npx atrium import identities identities.csv'],
  )
  table(
    group,
    'organisations',
    'organisations and their tree',
    importOrganizations,
    organizationFields,
    [
      'npx atrium import organisations departments.csv --dry-run',
      'npx atrium import organisations departments.csv',
    ],
    { aliases: ['organizations'] },
  )
  table(
    group,
    'members',
    'members and their accounts; they have no password until activation',
    (run, file) => importMembers(run, file),
    memberFields,
    [
      'npx atrium import members members.csv --dry-run',
      'npx atrium import members members.csv 2> issues.txt',
      'npx atrium import members members.ndjson --strict',
    ],
  )
  table(
    group,
    'services',
    'the service catalogue',
    (run, file, { env }) => importServices(run, file, { allow: env.ATRIUM_OUTBOUND_ALLOW }),
    serviceFields,
    [
      'npx atrium import services services.csv --dry-run',
      'npx atrium import services services.json',
    ],
  )
  table(
    group,
    'places',
    'buildings, gates and stops, for the map and its list',
    importPlaces,
    placeFields,
    ['npx atrium import places places.csv'],
  )
  table(
    group,
    'messages',
    'messages of the previous system, one row for each recipient',
    importMessages,
    messageFields,
    ['npx atrium import messages messages.csv'],
  )
}

function news(
  address: string,
  options: RunOptions & { column: string; columnName?: string; public?: boolean; site?: string },
) {
  if (!/^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u.test(options.column))
    throw new StartError('--column is a code of letters, digits, dots and dashes.')
  if (options.site !== undefined && !/^https?:\/\/[^/]/i.test(options.site))
    throw new StartError('--site is an address that begins with https:// or http://.')
  return withInstallation('current', async (installation) => {
    const { db, env, url } = installation
    const { timeZone } = await readSettings(db)
    const column = { column: options.column, columnName: options.columnName }
    const read = (await isFolder(address))
      ? await readFolder(address, { column: options.column, timeZone })
      : await readFeedAt(address, installation, { timeZone, site: options.site })
    const report = openReport(address)
    const settings = report.settings(options)
    const good = distinct(read.items, () => {})
    const secret = openSecret(readSecret(env.ATRIUM_SECRET, env.ATRIUM_DATA_DIR))
    const { articles, leftOut } = await withCopiedPictures(
      {
        db,
        files: await openFiles(env, secret),
        allow: env.ATRIUM_OUTBOUND_ALLOW,
        dryRun: options.dryRun ?? false,
      },
      good,
    )
    report.say(
      await runImport(url, settings, async (run) => {
        run.read({ rows: read.items.length, share: 1 })
        distinct(read.items, run.issue)
        if (leftOut > 0) run.note(`pictures left out: ${leftOut}`)
        const rules = readAudience(options.public ? 'public' : 'everybody')
        return writeArticles(run, { source: read.source, articles }, { ...column, rules })
      }),
      options,
    )
  })
}

const isFolder = async (address: string) =>
  !/^https?:/i.test(address) &&
  ((await stat(address).catch(() => undefined))?.isDirectory() ?? false)

async function readFeedAt(
  address: string,
  installation: Installation,
  settings: { timeZone: string; site: string | undefined },
): Promise<Feed> {
  const { bytes, charset } = await readFeedBytes(address, installation)
  const xml = feedText(bytes, charset, address)
  if (repairTruncatedFeed(xml) !== undefined)
    throw new StartError(`${address} is cut off. Nothing was imported.`)
  return readFeed(xml, { from: address, ...settings })
}

async function readFeedBytes(
  address: string,
  { env }: Installation,
): Promise<{ bytes: Uint8Array; charset: string | undefined }> {
  if (!/^https?:/i.test(address)) {
    if ((await sizeOf(address)) > maxFeedBytes)
      throw new StartError(`${address} is larger than ${maxFeedBytes / 1e6} MB.`)
    return { bytes: await readFile(address), charset: undefined }
  }
  try {
    const answer = await fetchExternal(address, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      headers: {
        accept: 'application/rss+xml, application/atom+xml, application/xml, text/xml, */*;q=0.5',
      },
    })
    if (answer.status !== 200)
      throw new StartError(`${address} answered with status ${answer.status} instead of a feed.`)
    return {
      bytes: answer.bytes,
      charset: /charset\s*=\s*"?([\w.:-]+)/i.exec(answer.headers['content-type'] ?? '')?.[1],
    }
  } catch (error) {
    if (error instanceof OutboundError) throw new StartError(error.message)
    throw error
  }
}

function calendar(
  file: string,
  options: RunOptions & {
    calendar?: string
    audience?: string
    owner?: string
    prune?: boolean
    encoding?: string
  },
) {
  if (!options.audience === !options.owner)
    throw new StartError(
      'Give either --audience (who sees the calendar) or --owner (whose personal calendar it is).',
    )
  const to = options.owner
    ? { owner: options.owner }
    : { rules: readAudienceOption(options.audience ?? '') }
  const name = (options.calendar ?? path.basename(file).replace(/\.ics$/i, '')).trim().slice(0, 100)
  return withInstallation('current', async (installation) => {
    const text = await readTextFile(file, maxCalendar, options.encoding)
    const { timeZone } = await readSettings(installation.db)
    const report = openReport(file)
    report.say(
      await runImport(installation.url, report.settings(options), (run) =>
        importCalendar(run, text, {
          from: file,
          name,
          to,
          timeZone,
          prune: options.prune ?? false,
          now: new Date(),
        }),
      ),
      options,
    )
  })
}

function readAudienceOption(text: string) {
  try {
    return readAudience(text)
  } catch (error) {
    throw new StartError(`--audience ${(error as Error).message}.`)
  }
}
