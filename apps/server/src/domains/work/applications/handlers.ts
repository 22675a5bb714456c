import type { Application, applications, FormData } from '@atrium/contract/work/applications'
import type { applicationForms } from '@atrium/contract/work/applications.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { findApplicant, listNamed, resolveApprovers } from './approvers.ts'
import { cleanData, matchesCondition } from './check-form.ts'
import { lockApplication, withdrawApplication } from './engine.ts'
import {
  findOffer,
  getBlank,
  getForm,
  listForms,
  listOffers,
  listOpenApplications,
  putForm,
  removeForm,
} from './forms.ts'
import { changeApplication, namesOf, saveNewApplication } from './save.ts'

export const applicationHandlers: Handlers<typeof applications> = {
  async list({ db, viewer }) {
    const [forms, open] = await Promise.all([
      listOffers(db, viewer),
      listOpenApplications(db, viewer.accountId),
    ])
    return { forms, open }
  },

  async blank({ db, viewer, params }) {
    const offer = await findOffer(db, viewer, params.code)
    return offer?.blank ?? fail('application.form_not_found')
  },

  save: ({ platform, viewer, body }) =>
    platform.db.transaction().execute(async (db) => {
      const id = await saveNewApplication(db, viewer, { ...body, data: body.data as FormData })
      return readOwnApplication(db, platform, viewer, id)
    }),

  read: ({ db, platform, viewer, params }) => readOwnApplication(db, platform, viewer, params.id),

  update: ({ platform, viewer, params, body }) =>
    platform.db.transaction().execute(async (db) => {
      const application = await lockOwnApplication(db, viewer, params.id)
      await changeApplication(db, viewer, application, { ...body, data: body.data as FormData })
      return readOwnApplication(db, platform, viewer, params.id)
    }),

  withdraw: ({ platform, viewer, params }) =>
    platform.db.transaction().execute(async (db) => {
      const application = await lockOwnApplication(db, viewer, params.id)
      if (!mayWithdraw(application.status)) fail('application.over')
      await withdrawApplication(db, application)
      return readOwnApplication(db, platform, viewer, params.id)
    }),

  remove: ({ platform, viewer, params }) =>
    platform.db.transaction().execute(async (db) => {
      const application = await lockOwnApplication(db, viewer, params.id)
      if (application.status !== 'draft') fail('application.over')
      await db.deleteFrom('task').where('id', '=', application.taskId).execute()
      return null
    }),
}

const mayWithdraw = (status: string) => status === 'progress' || status === 'returned'

async function lockOwnApplication(db: Db, viewer: Member, id: string) {
  const application = await lockApplication(db, id)
  return application?.accountId === viewer.accountId ? application : fail('application.not_found')
}

/** @throws application.not_found */
async function readOwnApplication(
  db: Db,
  { files }: Platform,
  viewer: Member,
  id: string,
): Promise<Application> {
  const row =
    (await db
      .selectFrom('application')
      .select([
        'form_id',
        'version',
        'data',
        'status',
        'submitted_at as submittedAt',
        sql<string>`coalesce((select comment from task_step where task_id = ${id} and done_at is not null
          order by done_at desc limit 1), '')`.as('comment'),
      ])
      .where('task_id', '=', id)
      .where('account_id', '=', viewer.accountId)
      .executeTakeFirst()) ?? fail('application.not_found')
  const original = await getBlank(db, row.form_id, row.version)
  // A draft uses the current version of the form; if the form is closed, the draft can only be read.
  const currentOffer =
    row.status === 'draft' ? await findOffer(db, viewer, original.blank.code) : undefined
  const blank = currentOffer?.blank ?? original.blank
  const data = cleanData(blank.schema, row.data as FormData)
  const attached = await db
    .selectFrom('application_file')
    .select(['file_id as id', 'name'])
    .where('task_id', '=', id)
    .orderBy('file_id')
    .execute()
  return {
    id,
    blank,
    status: row.status as Application['status'],
    data,
    people: Object.fromEntries(await namesOf(db, blank.schema, data)),
    files: attached.map((file) => ({
      ...file,
      url: files.address({ id: file.id, is_public: false }, file.name),
    })),
    comment: row.status === 'returned' ? row.comment : '',
    hasChanged: currentOffer !== undefined && currentOffer.blank.version !== row.version,
    mayWithdraw: mayWithdraw(row.status),
    submittedAt: row.submittedAt,
  }
}

export const applicationFormHandlers: Handlers<typeof applicationForms> = {
  list: ({ db }) => listForms(db),

  put: ({ platform, params, body }) =>
    platform.db.transaction().execute((db) => putForm(db, params.code, body)),

  try: ({ db, params, body }) => tryForm(db, params.code, body),

  remove: ({ platform, params }) =>
    platform.db.transaction().execute(async (db) => {
      await removeForm(db, params.code)
      return null
    }),
}

/** Lists who would decide an application. @throws request.invalid, application.form_not_found */
async function tryForm(
  db: Db,
  code: string,
  { username, data: input }: { username: string; data: object },
) {
  const form = await getForm(db, code)
  const account = await db
    .selectFrom('account')
    .select('id')
    .where('username', '=', username.toLowerCase())
    .executeTakeFirst()
  const applicant = account && (await findApplicant(db, account.id))
  if (!applicant) fail('request.invalid', { fields: { username: 'unknown' } })
  const data = cleanData(form.schema, input as FormData)
  return Promise.all(
    form.steps.map(async ({ name, when, approvers }) => {
      const resolved = await resolveApprovers(db, applicant, approvers, data)
      const people = resolved.length > 0 ? resolved : await listNamed(db, applicant, form.managers)
      return {
        step: name,
        applies: when.every((condition) => matchesCondition(condition, data)),
        approvers: people.map((person) => person.username),
      }
    }),
  )
}
