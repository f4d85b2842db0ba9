import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { galleryOf, orphansIn } from './gallery'
import { fileOf } from './looks'
import { SCENES } from './scenes'

const KEPT = 'docs/pictures'

test('the gallery shows the scenes, each has its pictures, and no picture is left over', () => {
  expect(readFileSync(`${KEPT}.md`, 'utf8')).toBe(galleryOf('pictures', SCENES))
  const files = SCENES.flatMap(({ name, looks }) => looks.map((look) => fileOf(name, look)))
  expect(files.filter((file) => !existsSync(`${KEPT}/${file}`))).toEqual([])
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
  expect(orphansIn(KEPT, SCENES)).toEqual([])
})
