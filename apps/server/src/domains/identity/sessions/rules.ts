import { isCrossOrigin, type Sender } from '#domains/identity/browsers/same-origin.ts'

/** Whether a request with the refresh cookie may come from a page of another origin (CSRF). A form cannot send JSON. */
export function mayBeForged(
  { contentType, ...sender }: Sender & { contentType: string | undefined },
  isOwnOrigin: (origin: string) => boolean,
): boolean {
  if (contentType && !/^application\/json\b/i.test(contentType)) return true
  return isCrossOrigin(sender, isOwnOrigin)
}
