import { StartError } from '#platform/environment.ts'

/** A problem with one row, described for the person who made the file. */
export class RowIssue extends StartError {}
