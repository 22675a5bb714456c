import { get, Icon, Id, type Static, T } from '../define.ts'
import { Service } from './services.ts'

/** Services grouped by theme, such as arriving or graduating, regardless of type. */
export const Aggregation = T.Object(
  {
    id: Id,
    code: T.String(),
    name: T.String(),
    nameEn: T.String(),
    desc: T.String(),
    descEn: T.String(),
    icon: Icon,
    count: T.Integer({ description: 'number of services available to the caller' }),
  },
  { $id: 'Aggregation' },
)
export type Aggregation = Static<typeof Aggregation>

export const aggregation = {
  list: get('/portal-api/v1/service/aggregations', {
    summary: 'List the themes with services available to the caller',
    access: 'guest',
    cached: ['services', 'config'],
    reply: T.Array(Aggregation),
  }),
  read: get('/portal-api/v1/service/aggregation', {
    summary: 'Get a theme with its services',
    access: 'guest',
    cached: ['services', 'config'],
    query: T.Object({ id: Id }),
    reply: T.Interface([Aggregation], { services: T.Array(Service) }),
    errors: ['service.aggregation_not_found'],
  }),
}
