import {
  catalogue,
  ownedServices,
  serviceFiles,
} from '@atrium/contract/services/service-catalogue.operator'
import { servicePages } from '@atrium/contract/services/service-pages.operator'
import { servicePlacements, serviceThemes } from '@atrium/contract/services/service-themes.operator'
import { serviceSynonyms, serviceTypes } from '@atrium/contract/services/service-types.operator'
import type { Area } from '#platform/area.ts'
import { serve } from '#platform/http/serve.ts'
import { catalogueHandlers, ownedServiceHandlers } from './console-handlers.ts'
import { serviceFileHandlers } from './file-handlers.ts'
import { servicePageHandlers } from './page-handlers.ts'
import { serviceCataloguePersonalData } from './personal-data.ts'
import { servicePlacementHandlers } from './placement-handlers.ts'
import { serviceThemeHandlers } from './theme-handlers.ts'
import { serviceSynonymHandlers, serviceTypeHandlers } from './type-handlers.ts'

export const serviceCatalogueArea: Area = {
  name: 'service-catalogue',
  serve(app, host) {
    serve(app, host, catalogue, catalogueHandlers)
    serve(app, host, serviceTypes, serviceTypeHandlers)
    serve(app, host, serviceSynonyms, serviceSynonymHandlers)
    serve(app, host, serviceThemes, serviceThemeHandlers)
    serve(app, host, servicePlacements, servicePlacementHandlers)
    serve(app, host, serviceFiles, serviceFileHandlers)
    serve(app, host, servicePages, servicePageHandlers)
    serve(app, host, ownedServices, ownedServiceHandlers)
  },
  personalData: serviceCataloguePersonalData,
}
