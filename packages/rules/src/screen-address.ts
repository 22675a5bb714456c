/**
 * Whether an address of our origin is a screen of the portal, which one page serves, rather than the API, the central login,
 * the console or a file. Screens have no dot in their last part.
 */
export const isScreenAddress = (path: string) =>
  path === '/' ||
  /^\/(page|pages|pagesA|msgCenter|study-center|addressBook|preview-image|choose-location|open-location)(\/[^.]*)?$/.test(
    path,
  )
