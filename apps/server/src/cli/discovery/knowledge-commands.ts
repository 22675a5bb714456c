import type { Command } from 'commander'
import {
  hideMissing,
  importQuestions,
  questionFields,
  writeQuestions,
} from '#domains/discovery/knowledge/import-questions.ts'
import { pairRows, readMarkdownFaq, readPageFaq } from '#domains/discovery/knowledge/read-faq.ts'
import type { Rule } from '#platform/audience.ts'
import { openAudienceCheck, readAudience } from '#platform/audience-text.ts'
import { StartError } from '#platform/environment.ts'
import { runImport } from '#platform/ingest/import.ts'
import { readTextFile } from '#platform/ingest/text-file.ts'
import { fetchExternal, OutboundError } from '#platform/outbound/outbound.ts'
import { openReport } from '../import-report.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { addEncodingOption, addRunOptions, type RunOptions, table } from '../table-command.ts'

const largest = 10_000_000

/** Imports of questions and answers from tables, Markdown files and web pages. */
export function addKnowledgeImports(group: Command) {
  table(
    group,
    'questions',
    'questions and answers of the knowledge base',
    (run, file) => importQuestions(run, file),
    questionFields,
    ['npx atrium import questions faq.csv --dry-run', 'npx atrium import questions faq.xlsx'],
  )
  addEncodingOption(
    addRunOptions(
      group
        .command('faq <address>')
        .description('questions of a Markdown file, an HTML file or a web page (http(s))'),
    ),
  )
    .option('--audience <who>', 'who may read new questions', 'everybody')
    .option('--organization <code>', 'the department responsible for them')
    .option('--prune', 'take questions offline that an earlier import read and that are gone now')
    .addHelpText(
      'after',
      `
In Markdown, every heading with the text below it is a question. In a page, questions are its data for search engines
(schema.org FAQPage), or parts that open (details), or a list of definitions, or headings that are questions.

Examples:
  npx atrium import faq https://library.example.edu/faq --organization LIB --audience public
  npx atrium import faq handbook.md --dry-run`,
    )
    .action(faq)
}

type Options = RunOptions & {
  audience: string
  organization?: string
  prune?: boolean
  encoding?: string
}

function faq(address: string, options: Options) {
  const rules = readRules(options.audience)
  return withInstallation('current', async (installation) => {
    const pairs = /^https?:/i.test(address)
      ? readPageFaq(await readPage(address, installation))
      : await readFile(address, options.encoding)
    if (pairs.length === 0)
      throw new StartError(`${address} contains no questions that can be recognised.`)
    const report = openReport(address)
    report.say(
      await runImport(installation.url, report.settings(options), async (run) => {
        const unknown = (await openAudienceCheck(run.db))(rules)
        if (unknown) throw new StartError(`--audience ${unknown}.`)
        const { organization } = options
        if (organization && !(await isOrganization(installation, organization)))
          throw new StartError(`--organization: there is no organisation ${organization}.`)
        run.read({ rows: pairs.length, share: 1 })
        const rows = pairRows(pairs, address, run.issue)
        const counts = await writeQuestions(run, address, rows, { rules, organization })
        if (options.prune) {
          const questions = rows.map(({ values }) => values.question)
          const hidden = await hideMissing(run, address, questions)
          if (hidden > 0) run.note(`taken offline: ${hidden}`)
        }
        return counts
      }),
      options,
    )
  })
}

async function readFile(file: string, encoding: string | undefined) {
  const text = await readTextFile(file, largest, encoding)
  return /\.html?$/i.test(file) ? readPageFaq(text) : readMarkdownFaq(text)
}

const isOrganization = async ({ db }: Installation, code: string) =>
  (await db.selectFrom('organization').select('id').where('code', '=', code).executeTakeFirst()) !==
  undefined

function readRules(text: string): Rule[] {
  try {
    return readAudience(text)
  } catch (error) {
    throw new StartError(`--audience ${(error as Error).message}.`)
  }
}

async function readPage(address: string, { env }: Installation): Promise<string> {
  try {
    const { status, bytes, headers } = await fetchExternal(address, {
      allow: env.ATRIUM_OUTBOUND_ALLOW,
      headers: { accept: 'text/html, */*;q=0.5' },
      maxBytes: largest,
    })
    if (status !== 200) throw new StartError(`${address} answered with status ${status}.`)
    const stated =
      /charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1] ??
      /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(
        bytes.subarray(0, 2000).toString('latin1'),
      )?.[1]
    return decode(bytes, stated ?? 'utf-8', address)
  } catch (error) {
    if (error instanceof OutboundError) throw new StartError(error.message)
    throw error
  }
}

function decode(bytes: Uint8Array, charset: string, address: string) {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes)
  } catch {
    throw new StartError(`${address} is not valid ${charset} text.`)
  }
}
