/** Fetches the catalogue of one locale, so that a browser loads only the language that its reader reads. */
import type { Locale } from './locale'

type Loaded = Promise<Readonly<Record<string, string>>>

const LOADERS: Record<Locale, () => Loaded> = {
  en: async () => (await import('./en/browser')).browserCatalogue,
  'zh-CN': async () => (await import('./zh-CN/browser')).browserCatalogue,
}

const loaded = new Map<Locale, Loaded>()

/** The catalogue of a locale; the same promise each time, and a new attempt after a failed one. */
export function loadCatalogue(locale: Locale): Loaded {
  const known = loaded.get(locale)
  if (known) return known
  const loading = LOADERS[locale]()
  loaded.set(locale, loading)
  loading.catch(() => loaded.delete(locale))
  return loading
}
