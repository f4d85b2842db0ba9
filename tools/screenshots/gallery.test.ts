import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { galleryOf, orphansIn } from './gallery'
import { fileOf } from './looks'
import { SCENES, signedLooksOf } from './scenes'
import { readSignatures } from './signatures'

const KEPT = 'docs/pictures'

test('the gallery shows the scenes, each has its pictures, and no picture is left over', () => {
  expect(readFileSync(`${KEPT}.md`, 'utf8')).toBe(galleryOf('pictures', SCENES))
  const files = SCENES.flatMap(({ name, looks }) => looks.map((look) => fileOf(name, look)))
  expect(files.filter((file) => !existsSync(`${KEPT}/${file}`))).toEqual([])
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
  expect(orphansIn(KEPT, SCENES)).toEqual([])
})

test('no signature is left over; one that is missing is a finding of a comparison', () => {
  const files = SCENES.flatMap((scene) => signedLooksOf(scene).map((look) => fileOf(scene.name, look)))
  expect(files.filter((file, index) => files.indexOf(file) !== index)).toEqual([])
  expect([...readSignatures(KEPT).keys()].filter((file) => !files.includes(file))).toEqual([])
})
