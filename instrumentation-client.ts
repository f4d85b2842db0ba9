/** Runs in the browser before everything else of the console. */
import { config } from 'zod/v4/core'

// Schemas are otherwise compiled with `new Function`, which the policy of the pages rightly does not allow: a mere try is reported.
config({ jitless: true })
