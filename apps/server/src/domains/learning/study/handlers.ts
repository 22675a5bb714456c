import type { study } from '@atrium/contract/learning/study'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { sourcesOf } from './extensions.ts'
import { listPeople } from './people.ts'
import {
  countCredits,
  currentOf,
  findPart,
  insertSeen,
  listAnnouncements,
  listCourses,
  listDue,
  listLessons,
  listMarks,
  listMaterials,
  listOfCourse,
  listTerms,
  listUnits,
  type TermOf,
  termOf,
} from './queries.ts'
import { answerRoll, countOwn, findOpenRoll } from './roll.ts'

const shownTerm = ({ id: _, ...term }: TermOf) => term

export const studyHandlers: Handlers<typeof study> = {
  async overview({ platform, db, viewer: { accountId } }) {
    const { timeZone } = await currentSettings(platform)
    const terms = await listTerms(db, accountId, timeZone)
    const term = currentOf(terms, timeZone)
    const [courses, due, marks, credits] = await Promise.all([
      term ? listCourses(db, accountId, { termId: term.id }) : [],
      listDue(db, accountId),
      listMarks(db, accountId),
      countCredits(db, accountId, term?.id),
    ])
    const sources = await sourcesOf(
      db,
      courses.map(({ id }) => id),
    )
    const lessons = courses.flatMap(({ next }) => next ?? [])
    return {
      term: term ? shownTerm(term) : null,
      terms: terms.map(shownTerm),
      next: lessons.sort((a, b) => a.startsAt.localeCompare(b.startsAt))[0] ?? null,
      due,
      marks,
      credits,
      stale: sources.filter(({ stale }) => stale),
    }
  },

  async courses({ platform, db, viewer: { accountId }, query }) {
    const { timeZone } = await currentSettings(platform)
    const terms = await listTerms(db, accountId, timeZone)
    const term = query.term
      ? terms.find(({ code }) => code === query.term)
      : currentOf(terms, timeZone)
    return term ? listCourses(db, accountId, { termId: term.id }) : []
  },

  async read({ platform, db, viewer: { accountId }, params: { id } }) {
    const { timeZone } = await currentSettings(platform)
    const part = (await findPart(db, accountId, id)) ?? fail('study.course_not_found')
    const own = { accountId, teaches: part.role === 'teaches' }
    const [[course], plan, lessons, materials, assignments, announcements, sources, roll, counts] =
      await Promise.all([
        listCourses(db, accountId, { courseId: id }),
        listUnits(db, id),
        listLessons(db, id, 5),
        listMaterials(db, accountId, id),
        listOfCourse(db, own, id),
        listAnnouncements(db, id),
        sourcesOf(db, [id]),
        findOpenRoll(db, id, accountId),
        countOwn(db, id, accountId),
      ])
    return {
      ...(course ?? fail('study.course_not_found')),
      term: shownTerm(termOf(part.term, timeZone)),
      about: part.about,
      aboutEn: part.aboutEn,
      plan,
      lessons,
      materials: materials
        // Files not yet scanned for viruses are hidden.
        .filter(({ kind, fileId }) => kind !== 'file' || fileId !== null)
        .map(({ fileName, isPublic, ...one }) => ({
          ...one,
          url: one.fileId
            ? platform.files.address(
                { id: one.fileId, is_public: isPublic ?? false },
                fileName ?? one.title,
              )
            : one.url,
          mediaType: one.mediaType ?? '',
          byteSize: one.byteSize ?? 0,
        })),
      assignments,
      announcements,
      sources,
      attendance: { openId: roll?.id ?? null, entered: Boolean(roll?.state), own: counts },
    }
  },

  async people({ platform, db, viewer, params: { id }, query }) {
    const part = (await findPart(db, viewer.accountId, id)) ?? fail('study.course_not_found')
    return listPeople(platform, viewer, part.calendarId, query)
  },

  async see({ db, viewer: { accountId }, params: { id } }) {
    if (!(await insertSeen(db, accountId, id))) fail('study.material_not_found')
    return null
  },

  async attend({ platform, viewer: { accountId }, params: { id }, body: { code }, request }) {
    const { deviceId } = deviceOf(request)
    const answer = await platform.db.transaction().execute(async (db) => {
      const part = await findPart(db, accountId, id)
      if (part?.role !== 'attends') fail('study.course_not_found')
      const { secret } = platform
      // Stored as a keyed hash, meaningless elsewhere.
      const device = deviceId ? secret.sign('study-device', `${id} ${deviceId}`) : undefined
      return answerRoll(db, secret, { courseId: id, accountId, code, device })
    })
    return typeof answer === 'string' ? { state: answer } : fail(answer.refused)
  },
}
