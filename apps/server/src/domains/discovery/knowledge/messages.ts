import { defineBuiltInApp } from '#domains/work/messages/built-in-apps.ts'

export const knowledgeMessages = defineBuiltInApp({
  code: 'atrium-knowledge',
  name: '知识库',
  nameEn: 'Knowledge base',
  icon: { glyph: 'book', tone: 'violet' },
  position: 885,
  kinds: {
    review: {
      name: '问答待复核',
      nameEn: 'Answers due for review',
      defaultChannels: ['push'],
    },
  },
})
