/** What the service that asks would have its pages in, of the languages it names; nothing where it names none. */
export const firstLocale = (params: Record<string, unknown> | undefined) =>
  String(params?.ui_locales ?? '').split(' ')[0] || undefined
