import { m } from '#paraglide/messages.js'
import type { Screen } from '#shell/navigation/screens.ts'
import { flag, optional, text } from '#shell/navigation/search.ts'

export const studyScreens = {
  '/study-center/pages/studyCenter/studyCenter': {
    area: 'study',
    title: m.study_title,
    access: 'member',
    search: { isHideTabbar: flag },
    page: () => import('#domains/learning/study/study-page.tsx'),
  },
  '/study-center/pages/studyCenter/teachingCourse': {
    area: 'study',
    title: m.study_course_title,
    access: 'member',
    // `code`: the roll call's, from the scanned code
    search: { id: text, code: optional(text) },
    page: () => import('#domains/learning/study/course-page.tsx'),
  },
  '/study-center/pages/studyCenter/assignment': {
    area: 'study',
    title: m.study_results_title,
    access: 'member',
    search: { id: text, course: text },
    page: () => import('#domains/learning/study/results-page.tsx'),
  },
} satisfies Record<string, Screen>
