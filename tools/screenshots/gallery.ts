/** Writes docs/pictures.md: every page in both languages. */
import { globSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Scene } from './camera'
import { fileOf, nameOf } from './looks'

const HEAD = `# Pictures

Every page of the console, in English and Chinese, taken from the running product by \`npm run screenshots\`. All show the
same fixed data; \`npm run screenshots -- --compare\` lists the pictures that a change of the code alters.
`

/** Writes the gallery beside the folder, and removes pictures that no scene makes any more. */
export function writeGallery(folder: string, scenes: readonly Scene[]): void {
  for (const file of orphansIn(folder, scenes)) rmSync(join(folder, file))
  writeFileSync(join(dirname(folder), `${basename(folder)}.md`), galleryOf(basename(folder), scenes))
}

/** Pictures in the folder that no scene makes. */
export function orphansIn(folder: string, scenes: readonly Scene[]): string[] {
  const files = new Set(scenes.flatMap(({ name, looks }) => looks.map((look) => fileOf(name, look))))
  return globSync('*.*.png', { cwd: folder }).filter((file) => !files.has(file))
}

/** A section for each scene: its pictures in pairs of English and Chinese. */
export function galleryOf(folder: string, scenes: readonly Scene[]): string {
  const shown = scenes.filter(({ looks }) => looks.length > 0)
  const sections = shown.map(({ name, title, looks }) => {
    const pairs = Map.groupBy(looks, (look) => nameOf({ ...look, locale: 'en' }))
    const rows = [...pairs.values()].map((pair) => {
      const cells = pair.map((look) => `![${title} (${nameOf(look)})](${folder}/${fileOf(name, look)})`)
      return `| ${[...cells, ''].slice(0, 2).join(' | ')} |`
    })
    return [`## ${title}`, '', '| | |', '|---|---|', ...rows, ''].join('\n')
  })
  return [HEAD, ...sections].join('\n')
}
