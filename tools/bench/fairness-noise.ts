/** The noisy tenant of the bench of fair use, a process of its own: as much as its connections carry, until it is ended. */
import { type Connection, openConnection } from './apiserver/connection'
import { configMap } from './apiserver/objects'

/** ConfigMaps that each list of the noisy tenant begins with. */
export const LISTED = 500

/** The ConfigMaps of a tenant, whose namespace has the same name. */
export const mapsOf = (tenant: string): string => `/api/v1/namespaces/${tenant}/configmaps`

async function makeNoise(port: number, connections: number): Promise<void> {
  const made = { answered: 0, refused: 0 }
  const state = { goesOn: true }
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port, 'noisy')))
  const ended = open.map(async (connection, index) => {
    for (let count = 0; state.goesOn; count++) made[await answeredTo(connection, index, count)] += 1
    connection.close()
  })
  process.on('disconnect', () => process.exit(0))
  process.on('message', () => {
    state.goesOn = false
    void Promise.all(ended).then(() => {
      process.send?.(made)
      process.disconnect?.()
    })
  })
  process.send?.('begun')
}

/** Of twenty requests five create, five delete those objects, nine read and one lists, so lists keep their length. */
async function answeredTo(connection: Connection, index: number, count: number): Promise<'answered' | 'refused'> {
  const path = mapsOf('noisy')
  const send = (): ReturnType<Connection['send']> => {
    if (count % 20 === 19) return connection.send('GET', path)
    const own = `n${process.pid}-${index}-${count >> 2}`
    if (count % 4 === 0) return connection.send('POST', path, configMap(own))
    if (count % 4 === 2) return connection.send('DELETE', `${path}/${own}`)
    return connection.send('GET', `${path}/listed-${(index * 7 + count) % LISTED}`)
  }
  return (await send()).status === 429 ? 'refused' : 'answered'
}

const [port, connections] = process.argv.slice(2)
if (process.send && port !== undefined) await makeNoise(Number(port), Number(connections))
