/** The text, or its two ends with a visible mark between them. `limit` in characters (UTF-16 units). */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const head = Math.floor(limit * 0.6);
  const start = text.slice(0, head).toWellFormed();
  const end = text.slice(text.length - (limit - head)).toWellFormed();
  return `${start}\n[… ${text.length - limit} characters left out here …]\n${end}`;
}

/** The text between two lines that hold the marker; a marker inside the text is broken. */
export function fence(marker: string, name: string, text: string): string {
  const safe = text.replaceAll(marker, `${marker.slice(0, 4)}…`);
  return `<<<<<<<< ${name} ${marker}\n${safe}\n>>>>>>>> END OF ${name} ${marker}`;
}
