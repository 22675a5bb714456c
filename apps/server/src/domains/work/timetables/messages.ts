import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const timetableMessages = defineBuiltInApp({
  code: 'atrium-timetable',
  name: '课表',
  nameEn: 'Timetable',
  icon: { glyph: 'book', tone: 'blue' },
  position: 121,
  kinds: {
    changed: {
      name: '调课、停课与考试变动',
      nameEn: 'Moved and cancelled lessons, examinations',
      defaultChannels: ['push'],
    },
    roster: { name: '选课名单变动', nameEn: 'Courses joined and left', defaultChannels: ['push'] },
  },
})
