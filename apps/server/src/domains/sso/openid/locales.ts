/** The first of the page languages the service requests, or undefined. */
export const firstLocale = (params: Record<string, unknown> | undefined) =>
  String(params?.ui_locales ?? '').split(' ')[0] || undefined
