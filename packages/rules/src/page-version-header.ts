/**
 * A header that the portal's pages send with their calls. Pages of the first release do not: browsers were told to
 * cache them for a year, and the server makes the browser discard them (platform/http/portal-files.ts). Remove a year
 * after that release.
 */
export const pageVersionHeader = { 'X-Page': '2' }
