import type { study } from '@atrium/contract/learning/study'
import { deviceOf } from '#domains/identity/browsers/device.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { listCourseSources } from './extensions.ts'
import { listPeople } from './people.ts'
import {
  countCredits,
  currentTerm,
  findMembership,
  listAnnouncements,
  listCourseAssignments,
  listCourses,
  listDueWork,
  listLessons,
  listMarks,
  listMaterials,
  listTerms,
  listUnits,
  markMaterialSeen,
  type TermWithId,
  toTermWithWeek,
} from './queries.ts'
import { answerRoll, countOwnAttendance, findOpenRoll } from './roll.ts'

const toTerm = ({ id: _, ...term }: TermWithId) => term

export const studyHandlers: Handlers<typeof study> = {
  async overview({ platform, db, viewer: { accountId } }) {
    const { timeZone } = await currentSettings(platform)
    const terms = await listTerms(db, accountId, timeZone)
    const term = currentTerm(terms, timeZone)
    const [courses, due, marks, credits] = await Promise.all([
      term ? listCourses(platform, accountId, { termId: term.id }) : [],
      listDueWork(db, accountId),
      listMarks(db, accountId),
      countCredits(db, accountId, term?.id),
    ])
    const sources = await listCourseSources(
      db,
      courses.map(({ id }) => id),
    )
    const lessons = courses.flatMap(({ next }) => next ?? [])
    return {
      term: term ? toTerm(term) : null,
      terms: terms.map(toTerm),
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
      : currentTerm(terms, timeZone)
    return term ? listCourses(platform, accountId, { termId: term.id }) : []
  },

  async read({ platform, db, viewer: { accountId }, params: { id } }) {
    const { timeZone } = await currentSettings(platform)
    const membership = (await findMembership(db, accountId, id)) ?? fail('study.course_not_found')
    const viewpoint = { accountId, teaches: membership.role === 'teaches' }
    const [[course], plan, lessons, materials, assignments, announcements, sources, roll, counts] =
      await Promise.all([
        listCourses(platform, accountId, { courseId: id }),
        listUnits(db, id),
        listLessons(platform, id, 5),
        listMaterials(db, accountId, id),
        listCourseAssignments(db, viewpoint, id),
        listAnnouncements(db, id),
        listCourseSources(db, [id]),
        findOpenRoll(db, id, accountId),
        countOwnAttendance(db, id, accountId),
      ])
    return {
      ...(course ?? fail('study.course_not_found')),
      term: toTerm(toTermWithWeek(membership.term, timeZone)),
      about: membership.about,
      aboutEn: membership.aboutEn,
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
    const membership =
      (await findMembership(db, viewer.accountId, id)) ?? fail('study.course_not_found')
    return listPeople(platform, viewer, membership.calendarId, query)
  },

  async see({ db, viewer: { accountId }, params: { id } }) {
    if (!(await markMaterialSeen(db, accountId, id))) fail('study.material_not_found')
    return null
  },

  async attend({ platform, viewer: { accountId }, params: { id }, body: { code }, request }) {
    const { deviceId } = deviceOf(request)
    const answer = await platform.db.transaction().execute(async (db) => {
      const membership = await findMembership(db, accountId, id)
      if (membership?.role !== 'attends') fail('study.course_not_found')
      const { secret } = platform
      // Stored as a keyed hash, meaningless elsewhere.
      const device = deviceId ? secret.sign('study-device', `${id} ${deviceId}`) : undefined
      return answerRoll(db, secret, { courseId: id, accountId, code, device })
    })
    return typeof answer === 'string' ? { state: answer } : fail(answer.refused)
  },
}
