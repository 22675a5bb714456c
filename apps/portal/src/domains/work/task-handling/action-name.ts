import type { TaskAction } from '@atrium/contract/work/tasks'
import { inLanguage } from '#lib/language.ts'

export const actionName = ({ text, textEn }: TaskAction) => inLanguage(text, textEn)
