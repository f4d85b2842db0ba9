/** The component that this loop's events name, as upstream spells it. */
export const COMPONENT = 'cluster-controller'
