import { del, get, Id, post, put, T } from '../define.ts'
import {
  byPart,
  Name,
  orNull,
  params,
  Text,
  Version,
  versioned,
  whole,
} from './service-catalogue.operator.ts'

const TypeContent = {
  code: T.String({ pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._:\\-]{0,63}$' }),
  name: Name,
  nameEn: Text(100),
  parentId: orNull(Id),
  position: T.Integer({ minimum: 0, maximum: 9999, default: 0 }),
}
export const ManagedServiceType = T.Object(
  {
    id: Id,
    ...TypeContent,
    services: T.Integer({ description: 'number of services, including withdrawn ones' }),
    version: T.Integer(),
  },
  { $id: 'ManagedServiceType' },
)

const Words = T.Array(T.String({ minLength: 1, maxLength: 30, pattern: '\\S' }), {
  minItems: 2,
  maxItems: 20,
})
export const ServiceSynonyms = T.Object(
  { id: Id, words: Words, version: T.Integer() },
  { $id: 'ServiceSynonyms' },
)

/** Types and synonyms are shared by all departments. */
export const serviceTypes = {
  list: get('/console-api/v1/service-types', {
    ...byPart,
    summary: 'List all types, in order',
    reply: T.Array(ManagedServiceType),
  }),
  create: post('/console-api/v1/service-types', {
    ...whole,
    summary: 'Create a type',
    body: T.Object(TypeContent),
    reply: ManagedServiceType,
    errors: ['service.type_taken'],
  }),
  update: put('/console-api/v1/service-types/{id}', {
    ...whole,
    summary: 'Update a type',
    params,
    body: T.Object({ ...TypeContent, version: Version }),
    reply: ManagedServiceType,
    errors: ['service.type_not_found', 'service.type_taken', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/service-types/{id}', {
    ...whole,
    summary: 'Delete a type; fails while it has services or sub-types',
    params,
    query: versioned,
    reply: T.Null(),
    errors: ['service.type_not_found', 'service.type_in_use', 'service.changed_meanwhile'],
  }),
}

export const serviceSynonyms = {
  list: get('/console-api/v1/service-synonyms', {
    ...byPart,
    summary: 'List the groups of search synonyms',
    reply: T.Array(ServiceSynonyms),
  }),
  create: post('/console-api/v1/service-synonyms', {
    ...whole,
    summary: 'Create a group of search synonyms',
    body: T.Object({ words: Words }),
    reply: ServiceSynonyms,
  }),
  update: put('/console-api/v1/service-synonyms/{id}', {
    ...whole,
    summary: 'Update a group of search synonyms',
    params,
    body: T.Object({ words: Words, version: Version }),
    reply: ServiceSynonyms,
    errors: ['service.synonyms_not_found', 'service.changed_meanwhile'],
  }),
  remove: del('/console-api/v1/service-synonyms/{id}', {
    ...whole,
    summary: 'Delete a group of search synonyms',
    params,
    query: versioned,
    reply: T.Null(),
    errors: ['service.synonyms_not_found', 'service.changed_meanwhile'],
  }),
}
