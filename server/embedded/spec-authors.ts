/** Who last changed the spec of an object, as the embedded API server saw it. A real control plane does not reveal it. */
import { RecentMap } from '@/lib/std/recent-map'
import type { SpecChange } from '@/server/apiserver'

type Named = Omit<SpecChange, 'user'>

/** Objects that are remembered at least; those that were changed longest ago are forgotten first. */
const REMEMBERED = 10_000

export class SpecAuthors {
  readonly #users = new RecentMap<string, string>(REMEMBERED)

  note(change: SpecChange): void {
    this.#users.set(keyOf(change), change.user)
  }

  /** The user; undefined for an object that is unchanged since the start. */
  authorOf(object: Named): string | undefined {
    return this.#users.get(keyOf(object))
  }
}

/** Versions of a group show the same object. */
function keyOf({ apiVersion, kind, namespace = '', name }: Named): string {
  return `${apiVersion.replace(/\/?[^/]*$/, '')}/${kind}/${namespace}/${name}`
}
