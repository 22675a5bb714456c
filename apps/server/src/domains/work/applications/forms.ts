import type {
  ApplicationBlank,
  ApplicationLine,
  ApplicationOffer,
  FormSchema,
} from '@atrium/contract/work/applications'
import type {
  ApplicationForm,
  ApplicationFormFields,
  Approver,
} from '@atrium/contract/work/applications.operator'
import { fieldKindOf } from '@atrium/rules/form-kinds'
import { sql } from 'kysely'
import { audienceFor, visibleTo } from '#platform/audience.ts'
import { checkedAudience } from '#platform/checked-audience.ts'
import type { Db } from '#platform/database/db.ts'
import { fail, type IssueKind } from '#platform/http/errors.ts'
import type { Member } from '#platform/http/guard.ts'

const selectOffers = (db: Db, viewer: Pick<Member, 'audiences'>) =>
  db
    .selectFrom('application_form as form')
    .innerJoin('application_form_version as version', (join) =>
      join.onRef('version.form_id', '=', 'form.id').onRef('version.version', '=', 'form.version'),
    )
    .innerJoin('organization', 'organization.id', 'form.organization_id')
    .select([
      'form.id',
      'form.code',
      'form.version',
      'version.definition',
      'organization.name as organization',
      'organization.name_en as organizationEn',
    ])
    .where('form.open', '=', true)
    .where(visibleTo(viewer, 'form.audience_id'))

type Row = {
  id: string
  code: string
  version: number
  definition: unknown
  organization: string
  organizationEn: string
}

/** A stored definition; those of an older version have no English title. */
const readDefinition = (definition: unknown): ApplicationFormFields => {
  const stored = definition as ApplicationFormFields
  return { ...stored, titleEn: stored.titleEn ?? '' }
}

const toOffer = (row: Row): ApplicationOffer => {
  const { name, nameEn, summary, summaryEn, icon } = readDefinition(row.definition)
  const { code, organization, organizationEn } = row
  return { code, name, nameEn, summary, summaryEn, icon, organization, organizationEn }
}

const toBlank = (row: Row): ApplicationBlank => {
  const { schema, steps } = readDefinition(row.definition)
  return {
    ...toOffer(row),
    version: row.version,
    schema,
    steps: steps.map(({ name, nameEn }) => ({ name, nameEn })),
  }
}

/** The forms a member may apply with. */
export async function listOffers(db: Db, viewer: Pick<Member, 'audiences'>) {
  const rows = await selectOffers(db, viewer)
    .orderBy('form.position')
    .orderBy('form.code')
    .limit(200)
    .execute()
  return rows.map(toOffer)
}

const maxOpen = 20

/** A member's drafts and undecided applications. */
export async function listOpenApplications(db: Db, accountId: string): Promise<ApplicationLine[]> {
  const rows = await db
    .selectFrom('application')
    .innerJoin('task', 'task.id', 'application.task_id')
    .innerJoin('application_form_version as version', (join) =>
      join
        .onRef('version.form_id', '=', 'application.form_id')
        .onRef('version.version', '=', 'application.version'),
    )
    .select([
      'task.id',
      'task.title',
      'task.title_en as titleEn',
      'application.status',
      'task.created_at as at',
      sql<ApplicationLine['icon']>`version.definition -> 'icon'`.as('icon'),
    ])
    .where('application.account_id', '=', accountId)
    .where('application.status', 'in', ['draft', 'progress', 'returned'])
    .orderBy('application.task_id', 'desc')
    .limit(maxOpen)
    .execute()
  return rows.map((row) => ({ ...row, status: row.status as ApplicationLine['status'] }))
}

/** The current version of a form, if the member may fill it in. */
export async function findOffer(db: Db, viewer: Pick<Member, 'audiences'>, code: string) {
  const row = await selectOffers(db, viewer).where('form.code', '=', code).executeTakeFirst()
  return row && { id: row.id, blank: toBlank(row), form: readDefinition(row.definition) }
}

/** The version of a form an application was begun with. */
export async function getBlank(db: Db, formId: string, version: number) {
  const row = await db
    .selectFrom('application_form as form')
    .innerJoin('application_form_version as version', 'version.form_id', 'form.id')
    .innerJoin('organization', 'organization.id', 'form.organization_id')
    .select([
      'form.id',
      'form.code',
      'version.version',
      'version.definition',
      'organization.name as organization',
      'organization.name_en as organizationEn',
    ])
    .where('form.id', '=', formId)
    .where('version.version', '=', version)
    .executeTakeFirstOrThrow()
  return { blank: toBlank(row), form: readDefinition(row.definition) }
}

export async function getDefinition(db: Db, formId: string, version: number) {
  const { definition } = await db
    .selectFrom('application_form_version')
    .select('definition')
    .where('form_id', '=', formId)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return readDefinition(definition)
}

// ---- for operators ----

/**
 * Creates a form or a new version of it. Call in a transaction.
 * @throws request.invalid with every part that could not be filled in or decided
 */
export async function putForm(db: Db, code: string, fields: ApplicationFormFields) {
  const rules = await checkedAudience(db, fields.audience)
  const issues = { ...schemaIssues(fields.schema), ...(await stepIssues(db, fields)) }
  const organization = await db
    .selectFrom('organization')
    .select('id')
    .where('code', '=', fields.organization)
    .executeTakeFirst()
  if (!organization) issues.organization = 'unknown'
  if (!organization || Object.keys(issues).length > 0) fail('request.invalid', { fields: issues })
  const columns = {
    audience_id: await audienceFor(db, rules),
    organization_id: organization.id,
    open: fields.open,
    position: fields.position,
  }
  const { id, version } = await db
    .insertInto('application_form')
    .values({ code, ...columns })
    .onConflict((conflict) => conflict.column('code').doUpdateSet(columns))
    .returning(['id', 'version'])
    .executeTakeFirstOrThrow()
  const last = await db
    .selectFrom('application_form_version')
    .select(['version', 'definition'])
    .where('form_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (last && comparable(readDefinition(last.definition)) === comparable(fields))
    return getForm(db, code)
  const next = last ? version + 1 : version
  await db
    .insertInto('application_form_version')
    .values({ form_id: id, version: next, definition: JSON.stringify(fields) })
    .execute()
  await db.updateTable('application_form').set({ version: next }).where('id', '=', id).execute()
  return getForm(db, code)
}

/** The order of the definition's parts means nothing; the fields in its schema are shown in theirs. */
const comparable = (fields: ApplicationFormFields) =>
  JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))

function schemaIssues({ properties, required }: FormSchema): Record<string, IssueKind> {
  const issues: Record<string, IssueKind> = {}
  const names = Object.keys(properties)
  if (names.length === 0 || names.length > 60) issues['schema.properties'] = 'length'
  for (const name of required)
    if (!Object.hasOwn(properties, name)) issues['schema.required'] = 'unknown'
  for (const [name, property] of Object.entries(properties)) {
    const prefix = `schema.properties.${name}`
    const { type, format, items, oneOf } = property
    if ((type !== 'string' && (format || oneOf)) || (type === 'array') !== (items !== undefined))
      issues[prefix] = 'type'
    if (fieldKindOf(property) === 'files' && items?.format !== 'file')
      issues[`${prefix}.items.format`] = 'choice'
    const columns = items?.properties ?? {}
    if (items?.type !== 'object') continue
    const count = Object.keys(columns).length
    if (count === 0 || count > 10) issues[`${prefix}.items.properties`] = 'length'
    for (const column of items.required ?? [])
      if (!Object.hasOwn(columns, column)) issues[`${prefix}.items.required`] = 'unknown'
  }
  return issues
}

async function stepIssues(
  db: Db,
  { steps, schema, managers }: ApplicationFormFields,
): Promise<Record<string, IssueKind>> {
  const issues: Record<string, IssueKind> = {}
  const usernames = new Set(managers.map((name) => name.toLowerCase()))
  const groups = new Set<string>()
  const forEachApprover = (visit: (approver: Approver, field: string) => void) => {
    for (const [stepIndex, { approvers, escalateTo }] of steps.entries()) {
      for (const [index, one] of approvers.entries())
        visit(one, `steps.${stepIndex}.approvers.${index}.target`)
      for (const [index, one] of escalateTo.entries())
        visit(one, `steps.${stepIndex}.escalateTo.${index}.target`)
    }
  }
  forEachApprover(({ kind, target }) => {
    if (kind === 'account') usernames.add(target.toLowerCase())
    if (kind === 'group') groups.add(target)
  })
  const accounts = await db
    .selectFrom('account')
    .select('username')
    .where('username', '=', sql<string>`any(${[...usernames]}::text[])`)
    .execute()
  const knownUsernames = new Set(accounts.map(({ username }) => username))
  const knownGroups = new Set(
    (
      await db
        .selectFrom('member_group')
        .select('code')
        .where('code', '=', sql<string>`any(${[...groups]}::text[])`)
        .execute()
    ).map((row) => row.code),
  )
  forEachApprover(({ kind, target }, field) => {
    const property = schema.properties[target]
    if (kind === 'account' && !knownUsernames.has(target.toLowerCase())) issues[field] = 'unknown'
    if (kind === 'group' && !knownGroups.has(target)) issues[field] = 'unknown'
    if (kind === 'field' && (!property || fieldKindOf(property) !== 'person'))
      issues[field] = 'unknown'
  })
  for (const [index, name] of managers.entries())
    if (!knownUsernames.has(name.toLowerCase())) issues[`managers.${index}`] = 'unknown'
  const codes = steps.map(({ code }) => code)
  for (const [index, code] of codes.entries())
    if (codes.indexOf(code) < index) issues[`steps.${index}.code`] = 'twice'
  for (const [stepIndex, { when }] of steps.entries())
    for (const [index, { field }] of when.entries()) {
      const [name = '', column] = field.split('.')
      const property = schema.properties[name]
      const isKnown = column ? property?.items?.properties?.[column] : property
      if (!isKnown) issues[`steps.${stepIndex}.when.${index}.field`] = 'unknown'
    }
  return issues
}

/** @throws application.form_not_found */
export const getForm = async (db: Db, code: string) =>
  (await listForms(db, code))[0] ?? fail('application.form_not_found')

export async function listForms(db: Db, code?: string): Promise<ApplicationForm[]> {
  const rows = await db
    .selectFrom('application_form as form')
    .innerJoin('application_form_version as version', (join) =>
      join.onRef('version.form_id', '=', 'form.id').onRef('version.version', '=', 'form.version'),
    )
    .select([
      'form.code',
      'form.version',
      'version.definition',
      sql<number>`(select count(*)::integer from application where form_id = form.id and status in ('progress', 'returned'))`.as(
        'running',
      ),
      sql<number>`(select count(*)::integer from application where form_id = form.id and status = 'progress'
        and not exists (select from task_step where task_id = application.task_id and done_at is null))`.as(
        'waiting',
      ),
    ])
    .$if(code !== undefined, (query) => query.where('form.code', '=', code as string))
    .orderBy('form.position')
    .orderBy('form.code')
    .limit(500)
    .execute()
  return rows.map(({ definition, ...row }) => ({
    ...readDefinition(definition),
    ...row,
  }))
}

/** @throws application.form_not_found, application.form_used */
export async function removeForm(db: Db, code: string) {
  const { id } =
    (await db
      .selectFrom('application_form')
      .select('id')
      .where('code', '=', code)
      .forUpdate()
      .executeTakeFirst()) ?? fail('application.form_not_found')
  const used = await db
    .selectFrom('application')
    .select('task_id')
    .where('form_id', '=', id)
    .limit(1)
    .executeTakeFirst()
  if (used) fail('application.form_used')
  await db.deleteFrom('application_form').where('id', '=', id).execute()
}
