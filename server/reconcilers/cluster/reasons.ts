/** Component in the events, as upstream. */
export const COMPONENT = 'cluster-controller'
