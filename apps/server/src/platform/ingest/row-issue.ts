import { StartError } from '#platform/environment.ts'

/** What is wrong with one row, in a sentence for the person who made the file. */
export class RowIssue extends StartError {}
