/** Runs in the browser before everything else of the console. */

const { __zod_globalConfig: settings = {} } = globalThis as { __zod_globalConfig?: object } // upstream: zod/v4/core/core.ts
// Zod otherwise compiles schemas with `new Function`, which the policy of the pages rightly does not allow: a mere try is
// reported. Its settings are a global object, so that no page has to load it only to change one.
Object.assign(globalThis, { __zod_globalConfig: Object.assign(settings, { jitless: true }) })
