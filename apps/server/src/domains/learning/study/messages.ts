import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const studyMessages = defineBuiltInApp({
  code: 'atrium-study',
  name: '学习中心',
  nameEn: 'Study centre',
  icon: { glyph: 'graduation', tone: 'teal' },
  position: 122,
  kinds: {
    announcement: { name: '课程公告', nameEn: 'Course announcements', defaultChannels: ['push'] },
    work: { name: '新作业', nameEn: 'New assignments', defaultChannels: ['push'] },
    mark: { name: '成绩公布', nameEn: 'Published marks', defaultChannels: ['push'] },
  },
})

export const coursePage = (id: string) => `/study-center/pages/studyCenter/teachingCourse?id=${id}`
