import { expect, test } from 'vitest'
import { createSealer } from './sealing'

const sealer = createSealer(['a'.repeat(32)])
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

test('a seal opens exactly as it was made: whatever follows it, precedes it or decodes to the same is refused', async () => {
  const text = await sealer.seal('session', { id: 'x' })
  expect(await sealer.open('session', text)).toEqual({ id: 'x' })
  const digestEnd = text.length - '~2'.length - 1
  const last = LETTERS.indexOf(text[digestEnd]!)
  const others = [1, 2, 3].map((bits) => `${text.slice(0, digestEnd)}${LETTERS[last ^ bits]}~2`)
  const broken = [
    `${text}x`,
    `${text} `,
    `${text}=`,
    `${text}~2`,
    `${text}*`,
    ` ${text}`,
    text.replace('~2', ''),
    text.replace('~2', 'A~2'),
    text.replace('~2', '=~2'),
    text.replace('~2', '~2;'),
    text.replace('Fe26.2*1*', 'Fe26.2*1**'),
    '',
    ...others,
  ]
  for (const one of broken) expect([one, await sealer.open('session', one)]).toEqual([one, undefined])
})
