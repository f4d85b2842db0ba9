/** Elements that the Tab key and the arrows reach on a page. */
import { expect, type Locator, type Page } from '@playwright/test'
import { lasting } from './lasting'

/** A page with more stops of the Tab key than this has a place that one cannot leave. */
const MAX_STOPS = 1500
/** Number of key presses before checking for a cycle. */
const AT_ONCE = 20

interface Walk {
  isOver: () => boolean
  end: () => Promise<string[]>
}

declare global {
  interface Window {
    walk?: Walk
  }
}

/**
 * Walks through a page or its open dialog with the Tab key: reports elements that are not reached, not visible, or not
 * left in any of several walks.
 */
export function keyboardFindings(page: Page): Promise<string[]> {
  return lasting(async () => {
    await page.evaluate(beginWalk)
    for (let stops = 0; stops < MAX_STOPS && !(await isOver(page)); stops += AT_ONCE)
      for (let step = 0; step < AT_ONCE; step += 1) await page.keyboard.press('Tab')
    return page.evaluate(() => window.walk!.end())
  })
}

function isOver(page: Page): Promise<boolean> {
  return page.evaluate(() => window.walk!.isOver())
}

/** In the page. */
function beginWalk(): void {
  const ACTIVE =
    'a[href], button, input, select, textarea, summary, [contenteditable=true], '
    + '[role=button], [role=link], [role=checkbox], [role=switch], [role=radio], [role=tab], [role=option], [role=slider]'
  /** One of them is a stop of the Tab key, the arrows lead to the others. */
  const GROUP =
    '[role=tablist], [role=radiogroup], [role=grid], [role=listbox], [role=group], fieldset, svg, ul, section'
  const MOMENT_MS = 50
  const stops = new Set<Element>()
  const unseen: Element[] = []
  let round: Element | undefined
  const tabIndexOf = (element: Element): number => (element as HTMLElement | SVGElement).tabIndex
  const wordsFor = (element: Element): string => {
    const { testid } = (element as HTMLElement | SVGElement).dataset
    const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
    return `${element.localName}${testid === undefined ? '' : ` ${testid}`} "${name.trim().slice(0, 60)}"`
  }
  const isOffered = (element: Element): boolean => {
    const { width, height } = element.getBoundingClientRect()
    return (
      width > 0
      && height > 0
      && element.checkVisibility({ visibilityProperty: true })
      && !element.matches(':disabled')
      && element.closest('[aria-hidden=true], [inert]') === null
    )
  }
  /** An outline, also of a frame around it; the cells of the heat map have a crosshair. */
  const isSeen = (element: Element): boolean => {
    if (element.closest('[data-testid=heat-grid]')) return true
    for (let each: Element | null = element; each && each !== document.body; each = each.parentElement) {
      const { outlineStyle, outlineWidth } = getComputedStyle(each)
      if (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) return true
    }
    return false
  }
  const onFocus = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target.closest('[aria-hidden=true]')) return
    if (stops.has(target)) round ??= target
    else if (!isSeen(target)) unseen.push(target)
    stops.add(target)
  }
  /** Looks pressable, but only the pointer reaches it. */
  const isForPointerOnly = (element: Element): boolean =>
    getComputedStyle(element).cursor === 'pointer'
    && getComputedStyle(element.parentElement ?? element).cursor !== 'pointer'
    && element.closest(`${ACTIVE}, label, [tabindex]`) === null
    && element.querySelector(`${ACTIVE}, [tabindex]`) === null
  document.addEventListener('focusin', onFocus)
  window.walk = {
    isOver: () => round !== undefined,
    end: async () => {
      document.removeEventListener('focusin', onFocus)
      const dark: string[] = []
      for (const element of unseen) {
        // Some pass the focus on, and editors show it a moment later.
        ;(element as HTMLElement | SVGElement).focus({ focusVisible: true } as FocusOptions)
        await new Promise((resolve) => setTimeout(resolve, MOMENT_MS))
        if (document.activeElement === element && !isSeen(element)) dark.push(wordsFor(element))
      }
      const [first] = stops
      const isTrap = round !== first && first?.isConnected === true && isOffered(first)
      const offered = [...document.body.querySelectorAll(`${ACTIVE}, [tabindex]`)].filter(isOffered)
      const isReached = (element: Element): boolean => {
        if (stops.has(element) || (tabIndexOf(element) < 0 && !element.matches(ACTIVE))) return true
        const isOneOf = tabIndexOf(element) < 0 || element.matches('input[type=radio]')
        const group = element.closest(GROUP)
        return isOneOf && group !== null && [...stops].some((stop) => group.contains(stop))
      }
      return [
        ...dark.map((words) => `no sign of the focus on ${words}`),
        ...(isTrap ? [`the Tab key does not leave ${round ? wordsFor(round) : 'the page'}`] : []),
        ...offered.filter((element) => !isReached(element)).map((element) => `not reached: ${wordsFor(element)}`),
        ...[...document.body.querySelectorAll('*')]
          .filter((element) => isForPointerOnly(element) && isOffered(element))
          .map((element) => `for the pointer only: ${wordsFor(element)}`),
      ]
    },
  }
}

const ARROWS = ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'] as const
/** A name of fewer words is no sentence. */
const MIN_WORDS = 3

/** The marks of a picture are one stop of the Tab key; arrows lead to each, and its name is a sentence. */
export async function expectRoving(page: Page, marks: Locator): Promise<void> {
  // Marks may be added during the walk.
  await expect(() => expectRovingNow(page, marks)).toPass({ timeout: 30_000 })
}

async function expectRovingNow(page: Page, marks: Locator): Promise<void> {
  const read = () =>
    marks.evaluateAll((all) =>
      all.map((mark) => ({
        name: mark.getAttribute('aria-label') ?? '',
        isStop: (mark as HTMLElement | SVGElement).tabIndex === 0,
      })),
    )
  const found = await read()
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(({ name }) => name.split(/\s+/).length < MIN_WORDS)).toEqual([])
  expect(found.filter(({ isStop }) => isStop)).toHaveLength(1)
  const reached = [found.findIndex(({ isStop }) => isStop)]
  for (const from of reached) {
    for (const key of ARROWS) {
      if (reached.length === found.length) return
      await marks.nth(from).focus()
      await page.keyboard.press(key)
      const at = await marks.evaluateAll((all) => all.findIndex((mark) => mark === document.activeElement))
      if (at >= 0 && !reached.includes(at)) reached.push(at)
    }
  }
  expect(
    found.filter((_, index) => !reached.includes(index)),
    'marks that no arrow leads to',
  ).toEqual([])
}
