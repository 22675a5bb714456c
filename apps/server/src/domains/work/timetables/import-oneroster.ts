import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { StartError } from '#platform/environment.ts'
import { choiceCell, textCell } from '#platform/ingest/cells.ts'
import { type Counts, type Fields, type Import, readRows } from '#platform/ingest/import.ts'
import { ArchiveError, checkZip } from '#platform/storage/check-zip.ts'
import { importRosters } from './import-rosters.ts'
import { importTimetable, type TimetableSettings } from './import-timetable.ts'
import { importTerms } from './import-year.ts'
import { readDay } from './rules.ts'

/*
 * OneRoster 1.2, CSV binding: https://www.imsglobal.org/sites/default/files/spec/oneroster/v1p2/rostering-csv/
 * It says who attends which class in which term, and nothing of weeks, weekdays and rooms: those come as a timetable.
 */

const maxUnpacked = 300_000_000
const files = ['academicSessions', 'classes', 'users', 'enrollments'] as const
type File = (typeof files)[number]

const id = { headers: ['sourcedId'], required: true, read: textCell(255) } as const
const status = {
  headers: ['status'],
  // Blank in a bulk file, which has only what is there.
  read: choiceCell({ active: [''], tobedeleted: ['inactive'] }),
} as const
const text = (header: string) => ({ headers: [header], read: textCell(255) }) as const
const needed = (header: string) =>
  ({ headers: [header], required: true, read: textCell(255) }) as const
const day = (header: string) => ({ headers: [header], required: true, read: readDay }) as const

const sessionFields = {
  id,
  status,
  title: needed('title'),
  type: needed('type'),
  startDate: day('startDate'),
  endDate: day('endDate'),
} as const
const classFields = {
  id,
  status,
  title: needed('title'),
  classCode: text('classCode'),
  terms: needed('termSourcedIds'),
} as const
const userFields = { id, status, username: needed('username') } as const
const enrollmentFields = {
  id,
  status,
  class: needed('classSourcedId'),
  user: needed('userSourcedId'),
  role: needed('role'),
} as const

/** Terms, courses and rosters of a OneRoster export: a folder, or the ZIP it came in. @throws StartError */
export async function importOneRoster(
  run: Import,
  source: string,
  settings: TimetableSettings,
): Promise<Counts> {
  return withFolder(source, async (folder) => {
    const read = <F extends Fields>(file: File, fields: F) =>
      readRows(
        { ...run, issue: issueOf(run, file), note: () => {} },
        path.join(folder, `${file}.csv`),
        fields,
        'id',
      )
    const terms = new Map<string, { code: string; name: string; startsOn: string; weeks: number }>()
    for await (const { values } of read('academicSessions', sessionFields)) {
      if (!['term', 'semester'].includes(values.type.toLowerCase()) || gone(values)) continue
      const days = Temporal.PlainDate.from(values.startDate).until(values.endDate, {
        largestUnit: 'days',
      }).days
      terms.set(values.id, {
        code: codeOf(values.id),
        name: values.title,
        startsOn: values.startDate,
        weeks: Math.min(60, Math.max(1, Math.ceil((days + 1) / 7))),
      })
    }
    if (terms.size === 0)
      throw new StartError(`${source}: academicSessions.csv has no term and no semester.`)
    const results = [
      await importTerms(
        { ...run, issue: issueOf(run, 'academicSessions') },
        rowsOf(
          [...terms.values()].map(({ weeks, ...term }) => ({ ...term, weeks: String(weeks) })),
        ),
        settings.timeZone,
      ),
    ]
    const classes = new Map<string, { course: string; term: string; name: string }>()
    const codes = new Set<string>()
    for await (const { row, values } of read('classes', classFields)) {
      if (gone(values)) continue
      const term = values.terms.split(',').flatMap((one) => terms.get(one.trim()) ?? [])[0]
      if (!term) {
        issueOf(run, 'classes')(row, `termSourcedIds ${values.terms} is no term of this export`)
        continue
      }
      // What people call a class, where that says which one it is.
      const own = `${term.code} ${values.classCode}`
      const course = codeOf(values.classCode && !codes.has(own) ? values.classCode : values.id)
      codes.add(own)
      classes.set(values.id, { course, term: term.code, name: values.title })
    }
    results.push(
      await importTimetable(
        { ...run, issue: issueOf(run, 'classes') },
        rowsOf([...classes.values()].map((one) => ({ ...one, type: 'course' }))),
        settings,
      ),
    )
    const users = new Map<string, string>()
    for await (const { values } of read('users', userFields))
      if (!gone(values)) users.set(values.id, values.username)
    const others = new Set<string>()
    async function* enrollments() {
      for await (const { row, values } of read('enrollments', enrollmentFields)) {
        if (gone(values)) continue
        const role = roles[values.role.toLowerCase()]
        const course = classes.get(values.class)
        const username = users.get(values.user)
        if (!role) others.add(values.role)
        else if (!course || !username)
          issueOf(run, 'enrollments')(
            row,
            course
              ? `userSourcedId ${values.user} is not in users.csv`
              : `classSourcedId ${values.class} is not in classes.csv`,
          )
        else yield { row, cells: { course: course.course, term: course.term, username, role } }
      }
    }
    results.push(
      await importRosters({ ...run, issue: issueOf(run, 'enrollments') }, enrollments(), settings),
    )
    if (others.size > 0)
      run.note(
        `roles that neither attend nor teach, left out: ${[...others].slice(0, 10).join(', ')}`,
      )
    return {
      added: results.reduce((sum, { added }) => sum + added, 0),
      changed: results.reduce((sum, { changed }) => sum + changed, 0),
      unchanged: results.reduce((sum, { unchanged }) => sum + unchanged, 0),
    }
  })
}

const roles: Record<string, string> = {
  student: 'attends',
  teacher: 'teaches',
  aide: 'teaches',
  proctor: 'teaches',
}

const gone = ({ status }: { status?: string | undefined }) => status === 'tobedeleted'

/** A sourcedId may hold any character; what a code may not hold is left out. */
const codeOf = (sourcedId: string) => sourcedId.replaceAll(/[^\p{L}\p{N}._:-]/gu, '').slice(0, 64)

const issueOf = (run: Import, file: File) => (row: number, sentence: string) =>
  run.issue(row, `${file}.csv: ${sentence}`)

async function* rowsOf(list: readonly Record<string, string>[]) {
  for (const [at, cells] of list.entries()) yield { row: at + 2, cells }
}

/** The folder, or what is in the ZIP for as long as the work takes. */
async function withFolder<T>(source: string, work: (folder: string) => Promise<T>): Promise<T> {
  const found = await stat(source).catch(() => {
    throw new StartError(`There is no folder or file ${source}.`)
  })
  if (found.isDirectory()) return work(source)
  try {
    await checkZip(source, { encrypted: false, unpacked: maxUnpacked })
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    throw new StartError(`${source} cannot be unpacked safely: ${error.message}.`)
  }
  const folder = await mkdtemp(path.join(os.tmpdir(), 'atrium-oneroster-'))
  try {
    const { unzipSync } = await import('fflate')
    const names = new Set(files.map((name) => `${name}.csv`))
    const unpacked = unzipSync(await readFile(source), {
      filter: ({ name }) => names.has(path.posix.basename(name)),
    })
    for (const [name, bytes] of Object.entries(unpacked))
      await writeFile(path.join(folder, path.posix.basename(name)), bytes, { mode: 0o600 })
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
