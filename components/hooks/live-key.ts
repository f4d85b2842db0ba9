/** The key under which the query cache holds a topic. */
export const liveKey = (topic: string) => ['live', topic] as const
