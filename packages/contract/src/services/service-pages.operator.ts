import { del, get, Id, post, put, type Static, T } from '../define.ts'

/** A page within a service that is searchable on its own. */
export const ServicePage = T.Object(
  {
    id: Id,
    serviceId: Id,
    name: T.String(),
    nameEn: T.String(),
    words: T.Array(T.String(), { description: 'additional search words' }),
    url: T.String({ description: 'address, with {keyWords} in place of the search words' }),
    fieldName: T.String({ description: 'meaning of {keyWords}; empty: the address has none' }),
    fieldNameEn: T.String(),
    version: T.Integer(),
  },
  { $id: 'ServicePage' },
)
export type ServicePage = Static<typeof ServicePage>

const params = T.Object({ id: Id })
const byPart = { access: 'operator', permission: 'services', delegated: true } as const
const PageContent = {
  name: T.String({ minLength: 1, maxLength: 60 }),
  nameEn: T.String({ maxLength: 120, default: '' }),
  words: T.Array(T.String({ minLength: 1, maxLength: 40 }), { maxItems: 20, default: [] }),
  url: T.String({ minLength: 1, maxLength: 500 }),
  fieldName: T.String({ maxLength: 30, default: '' }),
  fieldNameEn: T.String({ maxLength: 60, default: '' }),
}

export const servicePages = {
  list: get('/console-api/v1/services/{serviceId}/pages', {
    ...byPart,
    summary: 'List the searchable pages of a service',
    params: T.Object({ serviceId: Id }),
    reply: T.Array(ServicePage),
    errors: ['service.not_found'],
  }),
  create: post('/console-api/v1/services/{serviceId}/pages', {
    ...byPart,
    summary: 'Add a searchable page to a service',
    params: T.Object({ serviceId: Id }),
    body: T.Object(PageContent),
    reply: ServicePage,
    errors: ['service.not_found', 'service.page_elsewhere'],
  }),
  update: put('/console-api/v1/service-pages/{id}', {
    ...byPart,
    summary: 'Update a searchable page',
    params,
    body: T.Object({ ...PageContent, version: T.Integer() }),
    reply: ServicePage,
    errors: ['service.page_not_found', 'service.page_elsewhere', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/service-pages/{id}', {
    ...byPart,
    summary: 'Delete a searchable page',
    params,
    query: T.Object({ version: T.Integer() }),
    reply: T.Null(),
    errors: ['service.page_not_found', 'service.changed_meanwhile'],
  }),
}
