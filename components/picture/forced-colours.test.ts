import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const FORCED = /forced-colors/

/** The texts between the braces of each query for forced colours. */
function forcedBlocks(css: string): string[] {
  return css
    .split(/@media[^{]*forced-colors[^{]*\{/)
    .slice(1)
    .map((rest) => {
      let depth = 1
      const end = [...rest].findIndex((character) => {
        depth += character === '{' ? 1 : character === '}' ? -1 : 0
        return depth === 0
      })
      return rest.slice(0, end)
    })
}

// So that no accessibility rule but those of contrast, which is the user's own there, can find more than in other themes.
it('forced colours change colours and outlines only, no size, place or visibility', () => {
  const files = globSync('{app,components}/**/*.css').filter((file) => FORCED.test(readFileSync(file, 'utf8')))
  const properties = files
    .flatMap((file) => forcedBlocks(readFileSync(file, 'utf8')))
    .flatMap((block) => [...block.matchAll(/(?<=[{;]\s*)([\w-]+):/g)])
    .map(([, property = '']) => property)
  expect(files).not.toEqual([])
  expect(properties.length).toBeGreaterThan(files.length)
  expect(properties.filter((name) => !/^(--.+|outline(-offset)?|forced-color-adjust)$/.test(name))).toEqual([])
})

it('of the sources only the colours of the canvas ask for them', () => {
  const files = globSync('{app,components,lib}/**/*.{ts,tsx}').filter((file) => !file.includes('.test.'))
  expect(files.filter((file) => /forced-?colors/i.test(readFileSync(file, 'utf8')))).toEqual([
    'components/fleet/heat/use-canvas-theme.ts',
  ])
})
