/** Pages that draw their first picture before the texts in `lib/messages/en/later.ts` are there. */
const FIRST_PAGES = new Set(['/overview', '/fleet'])

export const isFirstPage = (path: string): boolean => FIRST_PAGES.has(path)
