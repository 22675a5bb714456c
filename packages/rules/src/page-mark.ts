/**
 * What pages of the portal say with their calls. Those of the first release do not: browsers were told to keep them for a year,
 * and the server has the browser forget them (platform/http/portal-files.ts). To be taken out a year after that release.
 */
export const pageMark = { 'X-Page': '2' }
