import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { texts } from '@/lib/messages/texts'
import { writeFirstChunks } from './first-chunks'

let build: string
beforeEach(() => {
  build = mkdtempSync(join(tmpdir(), 'evenkeel-build-'))
  mkdirSync(join(build, 'static/chunks'), { recursive: true })
})
afterEach(() => rmSync(build, { recursive: true }))

test('names the code of the socket and the texts of each locale', () => {
  const textsIn = (locale: 'en' | 'zh-CN', code: 'shell.description' | 'timeline.notObserved') =>
    `{"${code}":${JSON.stringify(texts[locale](code))}}`
  const chunks = {
    'a.js': 'the page itself',
    'b.js': 'throw new Error("xhr poll error")',
    'c.js': textsIn('en', 'shell.description'),
    'd.js': textsIn('zh-CN', 'shell.description'),
    'd.js.br': 'compressed',
    'e.js': textsIn('en', 'timeline.notObserved'),
    'f.js': textsIn('zh-CN', 'timeline.notObserved'),
  }
  for (const [name, source] of Object.entries(chunks)) writeFileSync(join(build, 'static/chunks', name), source)
  writeFirstChunks(build)
  expect(JSON.parse(readFileSync(join(build, 'first-chunks.json'), 'utf8'))).toEqual({
    socket: ['static/chunks/b.js'],
    texts: { en: ['static/chunks/c.js'], 'zh-CN': ['static/chunks/d.js'] },
    laterTexts: { en: ['static/chunks/e.js'], 'zh-CN': ['static/chunks/f.js'] },
  })
})
