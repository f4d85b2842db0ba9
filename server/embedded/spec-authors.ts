/** Who last changed the spec of an object, as the embedded API server saw it. A real control plane does not reveal it. */
import type { SpecChange } from '@/server/apiserver'

type Named = Omit<SpecChange, 'user'>

/** Objects that are remembered; the one that was changed longest ago is forgotten first. */
const REMEMBERED = 10_000

export class SpecAuthors {
  readonly #users = new Map<string, string>()

  note(change: SpecChange): void {
    const key = keyOf(change)
    this.#users.delete(key)
    this.#users.set(key, change.user)
    if (this.#users.size > REMEMBERED) this.#users.delete(this.#users.keys().next().value as string)
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
