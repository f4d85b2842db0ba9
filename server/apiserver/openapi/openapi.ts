import { type Answer, type Call, text } from '../call'
import type { Registry } from '../registry/registry'

export async function openapi(_registry: Registry, _call: Call): Promise<Answer> {
  return text(404, '404 page not found\n')
}
