/** Children that must not outlive the tests that started them. */
import type { ChildProcess } from 'node:child_process'

const children = new Set<ChildProcess>()

/** Kills the child when this process ends, also when a test that failed never came to its end. */
export function endWithUs(child: ChildProcess): void {
  if (children.size === 0) process.on('exit', endAll)
  children.add(child)
  child.once('exit', () => {
    children.delete(child)
    if (children.size === 0) process.off('exit', endAll)
  })
}

function endAll(): void {
  for (const child of children) child.kill('SIGKILL')
}
