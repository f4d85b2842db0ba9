/** Unpacks frames of the live protocol in the browser. See FrameMessage. */
import type { ReadFrame } from '@/lib/view/frame-queue'

/** The text of a frame that is not one already. Without a Blob, which browsers keep in another process. */
export const readFrame: ReadFrame = (frame) => {
  const deflated = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => {
      controller.enqueue(frame.subarray(1) as Uint8Array<ArrayBuffer>)
      controller.close()
    },
  })
  return new Response(deflated.pipeThrough(new DecompressionStream('deflate'))).text()
}
