/** The path of the writers in the crash bench. */
export const CRASH_PATH = '/api/v1/namespaces/default/configmaps'
