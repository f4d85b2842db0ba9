/** Calls when what React has rendered is on the screen: after the work of the next frame; never while the page is hidden. */
export function afterPaint(notify: () => void): void {
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel()
    port1.addEventListener('message', () => {
      port1.close()
      notify()
    })
    port1.start()
    port2.postMessage(undefined)
  })
}
