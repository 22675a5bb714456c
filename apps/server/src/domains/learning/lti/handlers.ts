import type { lti, ltiConsole } from '@atrium/contract/learning/lti'
import { findMembership } from '#domains/learning/study/queries.ts'
import { getTaughtCourse } from '#domains/learning/study/teaching.ts'
import { fail } from '#platform/http/errors.ts'
import type { Handlers } from '#platform/http/serve.ts'
import type { Platform } from '#platform/platform.ts'
import { insertLink, insertMaterial } from './deep-linking.ts'
import { startLaunch } from './launch.ts'
import { createTool, findEnabledTool, getTool, listTools, removeTool, updateTool } from './tools.ts'

export const ltiHandlers: Handlers<typeof lti> = {
  async tools({ db, viewer, params: { id } }) {
    await getTaughtCourse(db, viewer, id)
    const tools = await listTools(db)
    return tools
      .filter(({ enabled }) => enabled)
      .map(({ id, name, nameEn, deepLinkUrl }) => ({
        id,
        name,
        nameEn,
        chooses: deepLinkUrl !== '',
      }))
  },

  add: ({ platform, viewer, params: { id }, body: { toolId, title } }) =>
    platform.db.transaction().execute(async (db) => {
      await getTaughtCourse(db, viewer, id)
      const tool = (await findEnabledTool(db, { id: toolId })) ?? fail('lti.tool_not_found')
      const materialId = await insertMaterial(db, id, {
        kind: 'tool',
        title: title.trim(),
        url: '',
      })
      await insertLink(db, tool, {
        materialId,
        courseId: id,
        target: tool.target_url,
        custom: {},
      })
      return { id: materialId }
    }),

  async choose({ platform, db, viewer, params: { id, toolId }, request, reply }) {
    await getTaughtCourse(db, viewer, id)
    const tool = await findEnabledTool(db, { id: toolId })
    if (!tool?.deep_link_url) fail('lti.tool_not_found')
    const { accountId } = viewer
    return {
      url: await startLaunch(platform, request, reply, {
        tool,
        accountId,
        courseId: id,
        materialId: null,
        targetUrl: tool.deep_link_url,
      }),
    }
  },

  async launch({ platform, db, viewer, params: { id }, request, reply }) {
    const link = await db
      .selectFrom('lti_link')
      .innerJoin('study_material as material', 'material.id', 'lti_link.material_id')
      .select(['lti_link.tool_id', 'lti_link.target_url', 'material.course_id'])
      .where('material.id', '=', id)
      .executeTakeFirst()
    const tool = link && (await findEnabledTool(db, { id: link.tool_id }))
    const { accountId } = viewer
    if (!tool || !(await findMembership(db, accountId, link.course_id)))
      fail('study.material_not_found')
    return {
      url: await startLaunch(platform, request, reply, {
        tool,
        accountId,
        courseId: link.course_id,
        materialId: id,
        targetUrl: link.target_url,
      }),
    }
  },
}

/** Platform data to enter in a tool. */
export const platformFacts = ({ origin }: Pick<Platform, 'origin'>) => ({
  issuer: origin(),
  authorizationUrl: `${origin()}/lti/auth`,
  tokenUrl: `${origin()}/lti/token`,
  jwksUrl: `${origin()}/lti/jwks`,
})

export const ltiConsoleHandlers: Handlers<typeof ltiConsole> = {
  platform: async ({ platform }) => platformFacts(platform),
  list: ({ db }) => listTools(db),
  create: ({ db, body }) => createTool(db, body),
  async update({ db, params: { id }, body }) {
    await getTool(db, id)
    return updateTool(db, id, body)
  },
  remove: ({ platform, params: { id } }) =>
    platform.db.transaction().execute(async (db) => {
      await removeTool(db, id)
      return null
    }),
}
