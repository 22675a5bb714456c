import type { StudySource } from '@atrium/contract/learning/study-sources.operator'

/** Product names are the same in every language. */
export const kindName = (kind: StudySource['kind']) =>
  kind === 'moodle' ? 'Moodle' : 'OneRoster 1.2'
