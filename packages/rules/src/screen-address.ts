/**
 * Whether a path of our origin is a portal screen (served by one page) rather than the API, the central login, the
 * console or a file. Screens have no dot in their last segment.
 */
export const isScreenAddress = (path: string) =>
  path === '/' ||
  /^\/(page|pages|pagesA|msgCenter|study-center|addressBook|preview-image|choose-location|open-location)(\/[^.]*)?$/.test(
    path,
  )
