/** Returns a cluster's name without that of its region: `af-south-04` in region `af-south` is `04`. */
export const shortName = (cluster: string, region: string): string =>
  region !== '' && cluster.startsWith(`${region}-`) ? cluster.slice(region.length + 1) : cluster
