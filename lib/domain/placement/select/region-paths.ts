/** Chooses the best combination of regions. */
import type { Region, SelectionInput } from './selection'

/** A combination of regions, best region first. */
interface Path {
  regions: Region[]
  clusters: number
  score: number
}

/**
 * Returns the combination with the highest score among those with enough regions and clusters and without superfluous
 * regions. If a prefix of it (its best regions alone) is feasible too, the prefix wins. Empty if there is none.
 */
export function chooseRegions(regions: readonly Region[], input: SelectionInput): Region[] {
  const paths = feasiblePaths(regions, input)
    .map(toPath)
    .sort((a, b) => b.score - a.score || b.clusters - a.clusters)
  let [best] = paths
  for (const path of paths) if (best && isStrictPrefix(path.regions, best.regions)) best = path
  return best?.regions ?? []
}

/**
 * Maximum number of combinations examined before the search ends with its current results. Upstream has no limit:
 * choosing 20 of 40 regions would take days.
 */
const mostSteps = 200_000

/** Returns feasible combinations in order of discovery, each in the order of the search. */
function feasiblePaths(regions: readonly Region[], { region, cluster }: SelectionInput): Region[][] {
  const ordered = [...regions].sort(compareForSearch)
  const onlyChain = ordered.length === region.minGroups
  const found: Region[][] = []
  let steps = 0
  const walk = (path: Region[], clusters: number, next: number): void => {
    const count = path.length
    steps += 1
    if (clusters >= cluster.minGroups && count >= region.minGroups && count <= region.maxGroups) {
      found.push(path)
      return
    }
    if (count === region.maxGroups) return
    for (let index = next; index < ordered.length; index += 1) {
      const one = ordered[index]!
      walk([...path, one], clusters + one.clusters.length, index + 1)
      if (onlyChain || steps > mostSteps) return
    }
  }
  walk([], 0, 0)
  return found
}

/** Orders regions by size (small first), then by score, then by name. */
function compareForSearch(a: Region, b: Region): number {
  return a.clusters.length - b.clusters.length || compareForResult(a, b)
}

function compareForResult(a: Region, b: Region): number {
  return b.score - a.score || (a.name < b.name ? -1 : 1)
}

function toPath(walked: Region[]): Path {
  return {
    regions: [...walked].sort(compareForResult),
    clusters: walked.reduce((sum, { clusters }) => sum + clusters.length, 0),
    score: walked.reduce((sum, { score }) => sum + score, 0),
  }
}

function isStrictPrefix(part: readonly Region[], whole: readonly Region[]): boolean {
  return part.length < whole.length && part.every((region, index) => region === whole[index])
}
