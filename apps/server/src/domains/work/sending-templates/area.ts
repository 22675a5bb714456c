import { sendingTemplates } from '@atrium/contract/work/sending/templates'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { sendingTemplateHandlers } from './handlers.ts'
import { sendingTemplatesPersonalData } from './personal-data.ts'

export const sendingTemplatesArea: Area = {
  name: 'sending-templates',
  serve: (app, host) => serve(app, host, sendingTemplates, sendingTemplateHandlers),
  personalData: sendingTemplatesPersonalData,
}
