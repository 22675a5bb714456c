import { studySources } from '@atrium/contract/learning/study-sources.operator'
import { courseSources } from '#domains/learning/study/extensions.ts'
import type { Area } from '#platform/area.ts'
import { fail } from '#platform/http/errors.ts'
import { type Handlers, serve } from '#platform/http/serve.ts'
import { readDueSources, readSource } from './read-source.ts'
import {
  findSource,
  getSource,
  listFreshness,
  listSources,
  putSource,
  removeSource,
} from './sources.ts'

const handlers: Handlers<typeof studySources> = {
  list: ({ db }) => listSources(db),
  put: ({ platform, params: { code }, body }) =>
    platform.db.transaction().execute((db) => putSource(db, platform.secret, code, body)),
  async read({ platform, db, params: { code }, body: { force } }) {
    const source = (await findSource(db, code)) ?? fail('study.source_not_found')
    await readSource(platform, source, { force })
    return getSource(db, code)
  },
  async remove({ db, params: { code } }) {
    await removeSource(db, code)
    return null
  },
}

export const rosteringArea: Area = {
  name: 'rostering',
  serve: (app, host) => serve(app, host, studySources, handlers),
  jobs: (platform) => [
    { name: 'study-sources', cron: '* * * * *', run: () => readDueSources(platform) },
  ],
  extend: () => courseSources.provide(listFreshness),
}
