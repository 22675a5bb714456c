import type { TaskAction } from '@atrium/contract/work/tasks'
import { inLanguage } from '#lib/language.ts'

export type NamedAction = Pick<TaskAction, 'code' | 'text' | 'textEn'>

export const actionName = ({ text, textEn }: NamedAction) => inLanguage(text, textEn)
