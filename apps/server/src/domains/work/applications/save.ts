import type { Body } from '@atrium/contract/define'
import type { applications, FormData, FormSchema } from '@atrium/contract/work/applications'
import type { ApplicationFormFields } from '@atrium/contract/work/applications.operator'
import { sql } from 'kysely'
import type { Db } from '#platform/database/db.ts'
import { fail } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'
import { fileIssues, listUsableFiles } from '#platform/storage/file-use.ts'
import {
  buildTitle,
  cleanData,
  filesIn,
  formIssues,
  peopleIn,
  shapeIssues,
  toEntries,
} from './check-form.ts'
import { engineCode, lockApplication, resumeApplication, startApplication } from './engine.ts'
import { findOffer, getBlank } from './forms.ts'
import type { RunningApplication } from './steps.ts'

const maxDrafts = 50
const maxDataLength = 100_000

/** Creates an application, or repeats the call if its key is known. Call in a transaction. @returns its id */
export async function saveNewApplication(
  db: Db,
  viewer: Member,
  { key, code, version, data, submit }: Body<typeof applications.save>,
): Promise<string> {
  const offer = (await findOffer(db, viewer, code)) ?? fail('application.form_not_found')
  const existingId = await findByKey(db, viewer, key)
  if (existingId) {
    const application = (await lockApplication(db, existingId)) ?? fail('application.not_found')
    // A retry of a call whose answer was lost.
    if (application.status === 'draft')
      await changeApplication(db, viewer, application, { version, data, submit })
    return existingId
  }
  const drafts = await db
    .selectFrom('application')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('account_id', '=', viewer.accountId)
    .where('status', '=', 'draft')
    .executeTakeFirstOrThrow()
  if (drafts.count >= maxDrafts) fail('application.too_many')
  const { id } = await db
    .insertInto('task')
    .values({
      title: offer.form.name,
      title_en: offer.form.nameEn,
      source: offer.blank.organization,
      source_en: offer.blank.organizationEn,
      applicant_account_id: viewer.accountId,
      applicant_name: viewer.name,
      draft: true,
      engine: engineCode,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const inserted = await db
    .insertInto('application')
    .values({
      task_id: id,
      form_id: offer.id,
      version: offer.blank.version,
      account_id: viewer.accountId,
      key,
      data: '{}',
      status: 'draft',
    })
    .onConflict((conflict) => conflict.columns(['account_id', 'key']).doNothing())
    .returning('task_id')
    .executeTakeFirst()
  if (!inserted) {
    // A concurrent call with the same key won.
    await db.deleteFrom('task').where('id', '=', id).execute()
    return (await findByKey(db, viewer, key)) ?? fail('application.not_found')
  }
  const application = (await lockApplication(db, id)) ?? fail('application.not_found')
  await changeApplication(db, viewer, application, { version, data, submit })
  return id
}

const findByKey = async (db: Db, viewer: Member, key: string) => {
  const row = await db
    .selectFrom('application')
    .select('task_id')
    .where('account_id', '=', viewer.accountId)
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.task_id
}

/**
 * Stores the data and starts the flow if submitted. A draft uses the current version of the form, a returned
 * application the one it was begun with. Call in a transaction, with the task locked.
 */
export async function changeApplication(
  db: Db,
  viewer: Member,
  application: RunningApplication,
  { version, data: input, submit }: { version: number; data: FormData; submit: boolean },
) {
  if (application.status !== 'draft' && application.status !== 'returned') fail('application.over')
  const { blank, form } = await formOf(db, viewer, application)
  if (submit && version !== blank.version) fail('application.form_changed')
  if (JSON.stringify(input).length > maxDataLength)
    fail('request.invalid', { fields: { data: 'length' } })
  const data = cleanData(form.schema, input)
  if (submit) await check(db, viewer, form.schema, data, application.taskId)
  else {
    const issues = shapeIssues(form.schema, data)
    if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
    dropUnusableFiles(
      form.schema,
      data,
      await usableFiles(db, viewer, form.schema, data, application.taskId),
    )
  }
  const files = await replaceFiles(db, application.taskId, filesIn(form.schema, data))
  await db
    .updateTable('application')
    .set({
      data: JSON.stringify(data),
      version: blank.version,
      ...(submit && { submitted_at: sql<string>`now()` }),
    })
    .where('task_id', '=', application.taskId)
    .execute()
  const { title, titleEn } = buildTitle(form, data)
  await db
    .updateTable('task')
    .set({
      title,
      title_en: titleEn,
      form: JSON.stringify(
        toEntries(form.schema, data, { people: await namesOf(db, form.schema, data), files }),
      ),
      ...(submit && { draft: false }),
      ...(submit && application.status === 'draft' && { created_at: sql<string>`now()` }),
    })
    .where('id', '=', application.taskId)
    .execute()
  if (!submit) return
  const running = { ...application, data, version: blank.version }
  if (application.status === 'draft') await startApplication(db, running)
  else await resumeApplication(db, running)
}

/** @throws application.form_not_found if a draft's form is closed */
async function formOf(db: Db, viewer: Member, application: RunningApplication) {
  const original = await getBlank(db, application.formId, application.version)
  if (application.status !== 'draft') return original
  const offer = await findOffer(db, viewer, original.blank.code)
  return offer ?? fail('application.form_not_found')
}

/** @throws request.invalid naming every invalid field */
async function check(db: Db, viewer: Member, schema: FormSchema, data: FormData, taskId: string) {
  const issues = formIssues(schema, data)
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  const people = await namesOf(db, schema, data)
  for (const name of Object.keys(schema.properties))
    if (
      peopleIn({ ...schema, properties: { [name]: schema.properties[name] as never } }, data).some(
        (one) => !people.has(one),
      )
    )
      issues[`data.${name}`] = 'unknown'
  const files = new Map(
    Object.keys(schema.properties).flatMap((name) =>
      filesIn({ ...schema, properties: { [name]: schema.properties[name] as never } }, data).map(
        (id) => [id, `data.${name}`] as const,
      ),
    ),
  )
  Object.assign(issues, await fileIssues(db, viewer, files, await listAttachedFiles(db, taskId)))
  if (Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
}

/** Files attached before; the member may have deleted them from their own list since. */
async function listAttachedFiles(db: Db, taskId: string) {
  const rows = await db
    .selectFrom('application_file')
    .select('file_id')
    .where('task_id', '=', taskId)
    .execute()
  return new Set(rows.map(({ file_id }) => file_id))
}

async function usableFiles(
  db: Db,
  viewer: Member,
  schema: FormSchema,
  data: FormData,
  taskId: string,
) {
  const usable = await listUsableFiles(db, viewer, filesIn(schema, data))
  return new Set([...usable.keys(), ...(await listAttachedFiles(db, taskId))])
}

/** A draft silently drops files the member may not use; they are reported on submission. */
function dropUnusableFiles(schema: FormSchema, data: FormData, usable: ReadonlySet<string>) {
  for (const name of Object.keys(schema.properties)) {
    const value = data[name]
    if (schema.properties[name]?.items?.format === 'file')
      data[name] = Array.isArray(value) ? value.map(String).filter((id) => usable.has(id)) : []
  }
}

/** @returns the file names by id */
async function replaceFiles(db: Db, taskId: string, ids: readonly string[]) {
  const files = await db
    .selectFrom('file')
    .select(['id', 'name'])
    .where('id', '=', sql<string>`any(${ids as string[]}::bigint[])`)
    .execute()
  await db.deleteFrom('application_file').where('task_id', '=', taskId).execute()
  if (files.length > 0)
    await db
      .insertInto('application_file')
      .values(files.map(({ id, name }) => ({ task_id: taskId, file_id: id, name: name ?? '' })))
      .execute()
  return new Map(files.map(({ id, name }) => [id, name ?? '']))
}

/** The names of the accounts in the data, by username. */
export async function namesOf(db: Db, schema: ApplicationFormFields['schema'], data: FormData) {
  const rows = await db
    .selectFrom('account')
    .innerJoin('person', 'person.id', 'account.person_id')
    .select(['account.username', 'person.name'])
    .where('account.username', '=', sql<string>`any(${peopleIn(schema, data)}::text[])`)
    .where('account.status', '<>', 'disabled')
    .execute()
  return new Map(rows.map(({ username, name }) => [username, name]))
}
