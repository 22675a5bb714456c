import type { StudySource } from '@atrium/contract/learning/study-sources.operator'

/** Names of products stay as they are in every language. */
export const kindName = (kind: StudySource['kind']) =>
  kind === 'moodle' ? 'Moodle' : 'OneRoster 1.2'
