import { OneOf, T } from '../../define.ts'

const text = (maxLength: number) => T.String({ maxLength })

/** Kind of a message: `urgent` ones ignore quiet hours. */
export const sendingKinds = ['notice', 'event', 'urgent'] as const

export const sendingFormats = ['text', 'html'] as const
/** Variables known for every member; each replaces `{{name}}` or similar in the member's copy. */
export const MemberVariable = OneOf(['name', 'number', 'department'])

export const NeededVariables = T.Array(MemberVariable, {
  maxItems: 3,
  description: 'variables used without a fallback',
})

/** Content of a message. */
export const sendingTexts = {
  kind: OneOf(sendingKinds),
  format: OneOf(sendingFormats, {
    description: 'text: plain, each line is a paragraph; html: will be sanitised',
  }),
  title: T.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  titleEn: text(200),
  content: text(100_000),
  contentEn: text(100_000),
  variables: T.Record(T.String({ maxLength: 60 }), text(500), {
    description:
      'values for `{{name}}` in these texts; values for `name`, `number` and `department` are fallbacks for members without one',
  }),
}
