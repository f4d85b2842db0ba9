/** Fetches the catalogue of one locale, so that a browser loads only the language that its reader reads. */
import { isLocale, type Locale } from './locale'

type Loaded = Promise<Record<string, string>>

const LOADERS: Record<Locale, () => Loaded> = {
  en: async () => ({ ...(await import('./en/browser')).browserCatalogue }),
  'zh-CN': async () => ({ ...(await import('./zh-CN/browser')).browserCatalogue }),
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

/** Begins to fetch the catalogue of a document, whose language is a locale. */
export function wantCatalogue(language: string): void {
  if (isLocale(language)) loadCatalogue(language).catch(() => undefined)
}

/** Texts of single pages, fetched with these; `later` are those of all pages but the first ones. */
const AREAS = {
  later: {
    en: async () => (await import('./en/later')).laterCatalogue,
    'zh-CN': async () => (await import('./zh-CN/later')).laterCatalogue,
  },
  activity: {
    en: async () => (await import('./en/activity')).activity,
    'zh-CN': async () => (await import('./zh-CN/activity')).activity,
  },
  apiReference: {
    en: async () => (await import('./en/api-reference')).apiReference,
    'zh-CN': async () => (await import('./zh-CN/api-reference')).apiReference,
  },
  drill: {
    en: async () => (await import('./en/drill')).drill,
    'zh-CN': async () => (await import('./zh-CN/drill')).drill,
  },
  'control-plane': {
    en: async () => (await import('./en/control-plane')).controlPlane,
    'zh-CN': async () => (await import('./zh-CN/control-plane')).controlPlane,
  },
  spread: {
    en: async () => (await import('./en/spread')).spread,
    'zh-CN': async () => (await import('./zh-CN/spread')).spread,
  },
  'what-if': {
    en: async () => (await import('./en/what-if')).whatIf,
    'zh-CN': async () => (await import('./zh-CN/what-if')).whatIf,
  },
  resilience: {
    en: async () => (await import('./en/resilience')).resilience,
    'zh-CN': async () => (await import('./zh-CN/resilience')).resilience,
  },
  incident: {
    en: async () => (await import('./en/incident')).incident,
    'zh-CN': async () => (await import('./zh-CN/incident')).incident,
  },
  notices: {
    en: async () => (await import('./en/notices')).notices,
    'zh-CN': async () => (await import('./zh-CN/notices')).notices,
  },
  overview: {
    en: async () => (await import('./en/overview')).overview,
    'zh-CN': async () => (await import('./zh-CN/overview')).overview,
  },
  plan: { en: async () => (await import('./en/plan')).plan, 'zh-CN': async () => (await import('./zh-CN/plan')).plan },
  planPicture: {
    en: async () => (await import('./en/plan-picture')).planPicture,
    'zh-CN': async () => (await import('./zh-CN/plan-picture')).planPicture,
  },
  policies: {
    en: async () => (await import('./en/policies')).policies,
    'zh-CN': async () => (await import('./zh-CN/policies')).policies,
  },
  queueDrawers: {
    en: async () => (await import('./en/queue-drawers')).queueDrawers,
    'zh-CN': async () => (await import('./zh-CN/queue-drawers')).queueDrawers,
  },
  queueLanes: {
    en: async () => (await import('./en/queue-lanes')).queueLanes,
    'zh-CN': async () => (await import('./zh-CN/queue-lanes')).queueLanes,
  },
  fleetHeat: {
    en: async () => (await import('./en/fleet-heat')).fleetHeat,
    'zh-CN': async () => (await import('./zh-CN/fleet-heat')).fleetHeat,
  },
  twin: { en: async () => (await import('./en/twin')).twin, 'zh-CN': async () => (await import('./zh-CN/twin')).twin },
  rehearsal: {
    en: async () => (await import('./en/rehearsal')).rehearsal,
    'zh-CN': async () => (await import('./zh-CN/rehearsal')).rehearsal,
  },
  rehearsals: {
    en: async () => (await import('./en/rehearsals')).rehearsals,
    'zh-CN': async () => (await import('./zh-CN/rehearsals')).rehearsals,
  },
  members: {
    en: async () => (await import('./en/members')).members,
    'zh-CN': async () => (await import('./zh-CN/members')).members,
  },
} satisfies Record<string, Record<Locale, () => Loaded>>

export type Area = keyof typeof AREAS

/** Areas whose texts a page of another area shows as well. */
const PARTS: Partial<Record<Area, readonly Area[]>> = { rehearsals: ['rehearsal', 'twin', 'plan'], 'what-if': ['plan'] }

const loadedAreas = new Map<string, Promise<void>>()

/** Adds the texts of an area to the catalogue of a locale; the same promise each time, and a new attempt after a failed one. */
export function loadArea(area: Area, locale: Locale): Promise<void> {
  const key = `${area} ${locale}`
  const known = loadedAreas.get(key)
  if (known) return known
  const parts = (PARTS[area] ?? []).map((part) => loadArea(part, locale))
  const loading = Promise.all([loadCatalogue(locale), AREAS[area][locale](), ...parts]).then(([catalogue, texts]) => {
    Object.assign(catalogue, texts)
  })
  loadedAreas.set(key, loading)
  loading.catch(() => loadedAreas.delete(key))
  return loading
}
