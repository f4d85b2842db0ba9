/** Reports whether the scripts of customizations can be loaded. See README.md. */
import { InterpretError } from '@/lib/domain/interpreter'
import { scriptsOf } from '@/lib/domain/interpreter/customization'
import { resourceInterpreterCustomization as customizationKind } from '@/lib/kube/kinds'
import type { ObjectKey } from '@/lib/kube/object'
import { type Controller, watch } from '@/server/runtime/controller'
import { referenceTo } from '../shared/binding-kinds'
import type { InterpreterContext } from '../shared/interpreter'

export function interpreterCustomizationController(context: InterpreterContext): Controller {
  return {
    name: 'interpreter-customization',
    watches: [
      watch({
        kind: customizationKind,
        relevant: (change) =>
          change.type === 'added'
          || (change.type === 'updated' && change.object.metadata.generation !== change.old.metadata.generation),
      }),
    ],
    reconcile: (key) => checkScripts(context, key),
  }
}

/** A bad script does not prevent the check of the others. */
async function checkScripts(context: InterpreterContext, key: ObjectKey): Promise<void> {
  const customization = context.informers.of(customizationKind).get(key)
  if (!customization) return
  for (const script of scriptsOf(customization)) {
    try {
      await context.interpreter.check(script)
    } catch (error) {
      if (!(error instanceof InterpretError)) throw error
      context.events.record({
        component: 'resource-interpreter',
        type: 'Warning',
        reason: 'ScriptUnusable',
        message: `${script.entry}: ${error.message}`,
        regarding: referenceTo(customizationKind, customization),
      })
    }
  }
}
