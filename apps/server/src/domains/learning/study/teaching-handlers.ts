import type { studyTeaching } from '@atrium/contract/learning/study-teaching'
import { announceInboxes } from '#domains/work/tasks/delegated-steps.ts'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { currentSettings } from '#platform/settings/settings.ts'
import { endDueRolls, endRoll, findRoll, listRolls, openRoll, setAttended } from './roll.ts'
import { listAttendants, listRollPeople } from './roll-people.ts'
import {
  getOwnAssignment,
  getTaughtAssignment,
  getTaughtCourse,
  insertAssignment,
  insertMaterial,
  listResults,
  markStudents,
  postAnnouncement,
  publishMarks,
  removeAssignment,
  removeMaterial,
  returnWork,
  updateAssignment,
} from './teaching.ts'
import { syncDueDates, syncWork } from './work.ts'

/** @throws study.roll_not_found */
async function getOwnRoll(platform: Platform, db: Db, viewer: Member, id: string) {
  return (await findRoll(db, platform.secret, viewer.accountId, id)) ?? fail('study.roll_not_found')
}

async function syncAssignment(platform: Platform, db: Db, id: string) {
  const { timeZone } = await currentSettings(platform)
  await syncWork(db, { assignments: [id] })
  await syncDueDates(db, [id], timeZone)
}

export const studyTeachingHandlers: Handlers<typeof studyTeaching> = {
  announce: ({ platform, viewer, params, body }) =>
    platform.db
      .transaction()
      .execute(async (db) => ({ told: await postAnnouncement(db, viewer, params.id, body) })),

  async attendants({ db, viewer, params: { id }, query }) {
    const { calendarId } = await getTaughtCourse(db, viewer, id)
    return listAttendants(db, id, calendarId, query)
  },

  openRoll: ({ platform, viewer, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await getTaughtCourse(db, viewer, id)
      return getOwnRoll(platform, db, viewer, await openRoll(db, id, viewer.accountId, body))
    }),

  async rolls({ platform, db, viewer, params: { id }, query }) {
    await getTaughtCourse(db, viewer, id)
    return listRolls(db, platform.secret, id, query)
  },

  async roll({ platform, db, viewer, params: { id } }) {
    const roll = await getOwnRoll(platform, db, viewer, id)
    if (roll.endedAt || Date.parse(roll.closesAt) > Date.now()) return roll
    await endDueRolls(db, roll.courseId)
    return getOwnRoll(platform, db, viewer, id)
  },

  async rollPeople({ platform, db, viewer, params: { id }, query }) {
    await getOwnRoll(platform, db, viewer, id)
    return listRollPeople(db, id, query)
  },

  async setAttended({ platform, db, viewer, params: { id, accountId }, body: { state } }) {
    const roll = await getOwnRoll(platform, db, viewer, id)
    if (!(await setAttended(db, roll, accountId, state))) fail('study.student_not_found')
    return null
  },

  async endRoll({ platform, db, viewer, params: { id } }) {
    await getOwnRoll(platform, db, viewer, id)
    await endRoll(db, id)
    return getOwnRoll(platform, db, viewer, id)
  },

  createAssignment: ({ platform, viewer, params, body }) =>
    platform.db.transaction().execute(async (db) => {
      const id = await insertAssignment(db, viewer, params.id, body)
      await syncAssignment(platform, db, id)
      return { id }
    }),

  updateAssignment: ({ platform, viewer, params: { id }, body }) =>
    platform.db.transaction().execute(async (db) => {
      await getOwnAssignment(db, viewer, id)
      await updateAssignment(db, id, body)
      await syncAssignment(platform, db, id)
      return null
    }),

  removeAssignment: ({ platform, viewer, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      const { eventId } = await getOwnAssignment(db, viewer, id)
      await announceInboxes(db, await removeAssignment(db, id, eventId))
      return null
    }),

  async results({ platform, db, viewer, params: { id }, query }) {
    await getTaughtAssignment(db, viewer, id)
    return listResults(db, platform.files, id, query)
  },

  mark: ({ platform, viewer, params: { id }, body: { list, publish } }) =>
    platform.db.transaction().execute(async (db) => {
      const assignment = await getOwnAssignment(db, viewer, id)
      await markStudents(db, assignment, list)
      return { published: publish ? await publishMarks(db, assignment) : 0 }
    }),

  sendBack: ({ platform, viewer, params: { id, accountId }, body: { note } }) =>
    platform.db.transaction().execute(async (db) => {
      await returnWork(db, await getOwnAssignment(db, viewer, id), accountId, note.trim())
      await syncWork(db, { assignments: [id] })
      return null
    }),

  addMaterial: ({ platform, viewer, params, body }) =>
    platform.db
      .transaction()
      .execute(async (db) => ({ id: await insertMaterial(db, viewer, params.id, body) })),

  async removeMaterial({ db, viewer, params: { id } }) {
    await removeMaterial(db, viewer, id)
    return null
  },
}
