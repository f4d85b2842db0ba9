import { expect, test } from 'vitest'
import { createWayOut } from './way-out'

function start() {
  const gone: string[] = []
  return { gone, way: createWayOut((address) => void gone.push(address)) }
}

test('a session that ends because of a logout does not lead anywhere else than the logout', async () => {
  const { gone, way } = start()
  const answer = Promise.withResolvers<string>()
  const loggingOut = way.leaveAfter(() => answer.promise)
  way.leave('/login?returnTo=/fleet')
  answer.resolve('https://provider.example/end')
  await loggingOut
  way.leave('/login?returnTo=/fleet')
  expect(gone).toEqual(['https://provider.example/end'])
})

test('after a logout that failed a session may still end', async () => {
  const { gone, way } = start()
  await expect(way.leaveAfter(() => Promise.reject(new Error('away')))).rejects.toThrow('away')
  way.leave('/login')
  way.leave('/login?again')
  expect(gone).toEqual(['/login'])
})
