/** Comma-separated values. */

/** Spreadsheets take a cell that begins so for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** One field: a formula is made text, and quotes stand around what would end the field. */
export function csvField(value: string | number): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** RFC 4180. */
export const csvOf = (lines: readonly (readonly (string | number)[])[]): string =>
  lines.map((line) => `${line.map(csvField).join(',')}\r\n`).join('')
