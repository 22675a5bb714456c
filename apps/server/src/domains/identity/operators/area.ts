import { audit, members, operators, roles } from '@atrium/contract/identity/operators.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import {
  auditHandlers,
  memberHandlers,
  operatorHandlers,
  roleHandlers,
} from './console-handlers.ts'
import { operatorsPersonalData } from './personal-data.ts'

export const operatorsArea: Area = {
  name: 'operators',
  serve(app, host) {
    serve(app, host, roles, roleHandlers)
    serve(app, host, operators, operatorHandlers)
    serve(app, host, members, memberHandlers)
    serve(app, host, audit, auditHandlers)
  },
  personalData: operatorsPersonalData,
}
