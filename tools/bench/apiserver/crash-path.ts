/** Where the writers of a crash write. */
export const CRASH_PATH = '/api/v1/namespaces/default/configmaps'
