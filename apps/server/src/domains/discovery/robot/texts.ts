/** Fixed texts of the robot. */
export const texts = {
  greeting: {
    zh: '你好！可以直接问我办事、服务和校园生活的问题。',
    en: 'Hello! Ask me about services, procedures and life on campus.',
  },
  unknown: {
    zh: '这个问题我还不知道答案。可以换个说法再问，或者转人工服务。',
    en: 'I do not know the answer to this. Try other words, or ask the service desk.',
  },
  proposed: {
    zh: '请核对下面的内容，确认后才会执行。',
    en: 'Please check this. Nothing is done until you confirm.',
  },
  freeDay: { zh: '这一天没有日程。', en: 'There is nothing on that day.' },
} as const
