import type { DepartmentCalendar } from '@atrium/contract/work/department-calendars.operator'
import { inLanguage } from '#lib/language.ts'

/** The calendars to choose from, each with its department. */
export const formCalendars = (list: readonly DepartmentCalendar[]) =>
  list.map(({ id, name, nameEn, organizationName, organizationNameEn }) => ({
    id,
    name,
    nameEn,
    owner: inLanguage(organizationName, organizationNameEn),
  }))
export type FormCalendar = ReturnType<typeof formCalendars>[number]
