const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text as HTML shows it, between tags and in an attribute in quotes. */
export const escapeHtml = (text: string) =>
  text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign)
